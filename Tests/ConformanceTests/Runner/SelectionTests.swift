import Conformance
import Testing

/// Selects cases by name and level.
@Suite struct SelectionTests {
    private let files: [VectorFile]

    init() throws {
        files = try RunnerVectors.files(
            text: """
                {"format": 1, "area": "pages", "cases": [
                 {"id": "one", "title": "t", "requirements": ["ENT-10"], "steps": [{"call": "soupExists", "args": {"soupName": "a"}}]},
                 {"id": "two", "title": "t", "level": "full", "steps": [{"call": "soupExists", "args": {"soupName": "a"}}]},
                 {"id": "three", "title": "t", "level": "core", "steps": [{"call": "explainQuery", "args": {}}]}]}
                """)
    }

    private func ids(_ selection: VectorSelection) -> [String] {
        selection.applied(to: files).flatMap(\.cases).map(\.id)
    }

    @Test func `texts and patterns name ids areas and requirements`() {
        #expect(ids(VectorSelection()) == ["one", "two", "three"])
        #expect(ids(VectorSelection(texts: ["tw"])) == ["two"])
        #expect(ids(VectorSelection(texts: ["^t"])) == ["two", "three"])
        #expect(ids(VectorSelection(texts: ["ENT-1"])) == ["one"])
        #expect(ids(VectorSelection(texts: ["pages"])).count == 3)
        #expect(VectorSelection(texts: ["nothing"]).applied(to: files).isEmpty)
    }

    @Test func `level is that of the capabilities or a higher one that the case states`() {
        #expect(files.flatMap(\.cases).map(\.level) == [.core, .full, .extended])
        #expect(ids(VectorSelection(level: .core)) == ["one"])
        #expect(ids(VectorSelection(level: .full)) == ["one", "two"])
        #expect(ids(VectorSelection(texts: ["t"], level: .full)) == ["two"])
    }

    @Test func `capabilities follow from calls and arguments`() throws {
        func needs(_ step: String, requires: String = "[]") throws -> [String] {
            let text =
                #"{"format": 1, "area": "a", "cases": [{"id": "i", "title": "t", "requires": \#(requires), "steps": [\#(step)]}]}"#
            return try RunnerVectors.files(text: text)[0].cases[0].unnamedCapabilities
        }
        #expect(try needs(#"{"call": "querySoup", "args": {"querySpec": {"queryType": "all"}}}"#) == [])
        #expect(try needs(#"{"call": "countQuery", "args": {"querySpec": {"queryType": "smart"}}}"#) == ["smartSQL"])
        #expect(try needs(#"{"call": "soupExists", "args": {"isGlobalStore": false, "storeName": null}}"#) == [])
        #expect(
            try needs(#"{"call": "soupExists", "args": {"isGlobalStore": true, "storeName": "x"}}"#)
                == ["globalStores", "stores"])
        let register = #"{"call": "registerSoup", "args": {"indexSpecs": [{"path": "a", "type": "full_text"}]}}"#
        #expect(try needs(register) == ["fts5"])
        #expect(try needs(register, requires: #"["fts4"]"#) == [])
        #expect(
            try needs(#"{"call": "reopenStore", "args": {"key": "", "options": {"fullTextVersion": 4}}}"#)
                == ["encryption", "fts4", "reopening"])
        #expect(
            try needs(#"{"call": "odata.parseFilter", "args": {"text": "a", "metadata": "m"}}"#)
                == ["metadata", "odata"])
        func payload(_ type: String, _ version: String) -> String {
            #"{"call": "odata.parsePayload", "args": {"text": "", "contentType": "\#(type)", "version": "\#(version)"}}"#
        }
        #expect(try needs(payload("application/atom+xml", "4.0")) == ["atom", "odata"])
        #expect(try needs(payload("application/json", "2.0")) == ["odata", "verboseJSON"])
        #expect(try needs(payload("application/json;odata=verbose", "3.0")) == ["odata", "verboseJSON"])
        #expect(try needs(payload("application/json", "3.0")) == ["json", "odata"])
        #expect(try needs(payload("text/plain", "4.0")) == ["odata"])
    }

    @Test func `back end that names none of the newer capabilities has them all`() throws {
        let vectorCase = try RunnerVectors.files(
            text:
                #"{"format": 1, "area": "a", "cases": [{"id": "i", "title": "t", "steps": [{"call": "runSmartQuery"}]}]}"#
        )[0].cases[0]
        #expect(vectorCase.missingCapability(among: [.fts5]) == nil)
        #expect(vectorCase.missingCapability(among: [.fts5, .cursors]) == "smartSQL")
        #expect(vectorCase.missingCapability(among: [.smartSQL]) == nil)
    }

    @Test func `back end that names its calls and versions skips cases with others`() throws {
        let steps =
            #"{"call": "odata.parseFilter", "args": {"text": "a"}}, {"call": "odata.parseFilter", "args": {"text": "a", "version": "2.0"}}"#
        let files = try RunnerVectors.files(
            text: #"{"format": 1, "area": "a", "cases": [{"id": "i", "title": "t", "steps": [\#(steps)]}]}"#)
        let vectorCase = files[0].cases[0]
        func lack(calls: Set<String>?, versions: Set<String>?) -> String? {
            EchoBackEnd(capabilities: [.odata], calls: calls, odataVersions: versions).lack(for: vectorCase)
        }
        #expect(lack(calls: nil, versions: nil) == nil)
        #expect(lack(calls: ["odata.parseFilter"], versions: ["2.0", "4.0"]) == nil)
        #expect(lack(calls: ["odata.evaluate"], versions: nil) == "odata.parseFilter")
        #expect(lack(calls: nil, versions: ["4.0"]) == "OData 2.0")
        #expect(lack(calls: nil, versions: ["2.0"]) == "OData 4.0")
    }
}
