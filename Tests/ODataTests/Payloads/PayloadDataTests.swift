import Conformance
import FoundationEssentials
import OData
import Soups
import TestSupport
import Testing

/// Reads real documents and compares their content with the results of an independent script.
@Suite(.enabled(if: TestData.isPresent("odata-payloads"), Comment(rawValue: TestData.skipComment)))
struct PayloadDataTests {
    struct File {
        var path: String
        var version: ODataVersion
        var isMetadata: Bool
    }

    /// The refused documents, with the reasons.
    static let refused: [(file: String, code: Fault.Code, reason: String)] = [
        (
            "metadata-olingo4/fromdoc1-metadata.xml", .invalidMetadata,
            "the type of a navigation property follows its tag, as text"
        ),
        ("metadata-pyodata/metadata.xml", .invalidMetadata, "a function import has the same parameter twice"),
        ("v2-olingo2/invalidSvcExample.xml", .invalidXML, "collections outside of a workspace"),
        ("v2-olingo2/InvalidSvcDocJson2.json", .invalidJSON, "a bracket too many behind the value"),
        ("v2-olingo2/invalidSvcDocJson.json", .invalidJSON, "a member without a value"),
        ("v2-olingo2/JsonInvalidTeamDoubleNameProperty.json", .invalidJSON, "the name of a property twice"),
        ("v2-olingo2/xxe.xml", .invalidXML, "a root element that is not from OData"),
        (
            "v4-olingo4/client-core/Customers_InServerMode.json", .invalidJSON,
            "a next link and a delta link on one page"
        ),
    ]

    static func files() throws -> [File] {
        let root = TestData.path("odata-payloads")
        return try FileManager.default.subpathsOfDirectory(atPath: root).sorted().compactMap { path in
            guard !path.hasPrefix("batch/"),
                path.hasSuffix(".xml") || path.hasSuffix(".json") || path.hasSuffix(".edmx")
            else {
                return nil
            }
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let isMetadata =
                path.hasPrefix("metadata-")
                || (path.hasSuffix(".xml") && (name.lowercased().contains("metadata") || name.hasPrefix("Org.OData")))
            return File(path: path, version: path.hasPrefix("v2") ? .v2 : .v4, isMetadata: isMetadata)
        }
    }

    static func digest(_ file: File) throws -> String {
        let bytes = try TestData.bytes("odata-payloads/" + file.path)
        if file.isMetadata {
            return PayloadPairs.digest(PayloadPairs.lines(of: try EdmModel(csdl: bytes)))
        }
        return PayloadPairs.digest(
            PayloadPairs.lines(of: try ODataPayload(reading: bytes, options: PayloadOptions(version: file.version))))
    }

    @Test(.enabled(if: PythonPeer.isPresent, Comment(rawValue: PythonPeer.skipComment)))
    func `every file is read as the script reads it or refused for a reason`() throws {
        let files = try Self.files()
        #expect(files.count > 200)
        let input = files.map {
            "\($0.isMetadata ? "metadata" : "payload")\t\($0.version.rawValue)\t\(TestData.path("odata-payloads/" + $0.path))\n"
        }
        let lines = try PythonPeer.lines(of: "odata_pairs.py", input: Array(input.joined().utf8))
        #expect(lines.count == files.count)
        var refused = 0
        for (file, line) in zip(files, lines) {
            if let known = Self.refused.first(where: { $0.file == file.path }) {
                refused += 1
                do {
                    _ = try Self.digest(file)
                    Issue.record("\(file.path) is read, though \(known.reason)")
                } catch let fault as Fault {
                    #expect(fault.code == known.code, "\(file.path): \(fault)")
                }
                continue
            }
            do {
                let digest = try Self.digest(file)
                #expect(digest == line, "\(file.path)")
            } catch {
                Issue.record("\(file.path): \(error)")
            }
        }
        #expect(refused == Self.refused.count)
    }
}
