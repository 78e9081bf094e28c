import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// Index paths that Smart SQL cannot name: new ones are refused, those of older stores still work.
@Suite
struct IndexPathTests {
    static let paths = ["a:b", "a{", "a}", "x.{y}"]

    /// A soup as an older version would have created it.
    private func oldStore(_ backEnd: BackEnd) throws -> (StoreFolder, SmartStore) {
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.writing(.registerSoup) { (session, _) throws(Fault) in
            let specs: [IndexSpec] = [.string("a:b"), .integer("a{"), .json1("a}"), .fullText("x.{y}")]
            try SoupRegistration.add(SoupSpec(name: "old"), specs, session: session)
            return Reported(())
        }
        try store.close()
        return (setup, try setup.open())
    }

    @Test(arguments: BackEnd.allCases)
    func `registration and alteration refuse them by name, and change nothing`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        for path in Self.paths {
            for spec in [IndexSpec.string(path), .integer(path), .floating(path), .json1(path), .fullText(path)] {
                let specs = [.string("k"), spec]
                #expect(faultCode { try store.registerSoup("new", indexSpecs: specs) } == .invalidIndexSpec)
                #expect(faultCode { try store.alterSoup("s", indexSpecs: [spec]) } == .invalidIndexSpec)
            }
        }
        #expect(try store.allSoupNames() == ["s"])
        #expect(try store.indexSpecs(ofSoup: "s").map(\.path) == ["k"])
    }

    @Test(arguments: BackEnd.allCases)
    func `a store that has such paths opens, is written to, and is queried by specs`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (_, store) = try oldStore(backEnd)
        let entry = #"{"a:b":"v","a{":7,"a}":true,"x":{"{y}":"red lamp"}}"#
        try store.upsert([entry.bytes, #"{"a:b":"w"}"#.bytes], into: "old")
        try store.upsert([#"{"a:b":"w","a{":8}"#.bytes], into: "old", externalIdPath: "a:b")
        #expect(try store.count(.exact(path: "a:b", matchKey: "v"), soup: "old") == 1)
        #expect(try store.count(.range(path: "a{", from: 7, through: 8), soup: "old") == 2)
        #expect(try store.count(.exact(path: "a}", matchKey: 1), soup: "old") == 1)
        #expect(try store.count(.match(path: "x.{y}", matchKey: "lamp"), soup: "old") == 1)
        #expect(faultCode { _ = try store.count(.smart("select {old:a:b} from {old}")) } == .invalidReference)
        // Existing paths may stay when the soup is altered; new ones must follow the rule.
        try store.alterSoup("old", indexSpecs: [.string("a:b"), .string("k")])
        #expect(try store.count(.exact(path: "a:b", matchKey: "v"), soup: "old") == 1)
        let more: [IndexSpec] = [.string("a:b"), .string("c:d")]
        #expect(faultCode { try store.alterSoup("old", indexSpecs: more) } == .invalidIndexSpec)
    }
}
