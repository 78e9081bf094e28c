import Conformance
import JSONText
import SQLiteAccess
import TestSupport
import Testing

@Suite struct StoreBackEndTests {
    private static let soup = JSONObject([("soupName", "a"), ("indexSpecs", [["path": "k", "type": "string"]])])
    private static let entry = JSONObject([("soupName", "a"), ("entries", [["k": "x"]])])
    private static let count = JSONObject([("soupName", "a"), ("querySpec", ["queryType": "all"])])

    @Test func `named folder keeps stores for the next backend`() throws {
        let folder = try TemporaryFolder()
        let first = try StoreBackEnd(.plain, folder: folder.path)
        _ = try first.run("registerSoup", Self.soup)
        _ = try first.run("upsertSoupEntries", Self.entry)
        first.close()
        let second = try StoreBackEnd(.plain, folder: folder.path)
        #expect(try second.run("countQuery", Self.count) == 1)
        try second.reset()
        #expect(try second.run("getAllSoupNames", JSONObject()) == [])
        second.close()
    }

    /// A later process knows no keys of copies: it opens the store with that of the back end.
    @Test(arguments: ["removeStore", "removeAllStores", "removeAllGlobalStores"])
    func `a store in the place of a removed copy has the key of the back end`(_ removal: String) throws {
        try BackEnd.cipherOff.skipIfMissing()
        let isGlobal = JSONValue.bool(removal == "removeAllGlobalStores")
        func named(_ name: String, _ arguments: JSONObject = JSONObject()) -> JSONObject {
            var arguments = arguments
            arguments["storeName"] = .string(name)
            arguments["isGlobalStore"] = isGlobal
            return arguments
        }
        let folder = try TemporaryFolder()
        let first = try StoreBackEnd(.cipherOff, folder: folder.path)
        _ = try first.run("registerSoup", named("own", Self.soup))
        _ = try first.run("store.backup", named("own", ["path": "copy", "newKey": "secret"]))
        _ = try first.run(removal, named("copy"))
        _ = try first.run("registerSoup", named("copy", Self.soup))
        _ = try first.run("upsertSoupEntries", named("copy", Self.entry))
        first.close()
        let second = try StoreBackEnd(.cipherOff, folder: folder.path)
        #expect(try second.run("countQuery", named("copy", Self.count)) == 1)
        second.close()
    }

    @Test func `closing rolls back an open transaction`() throws {
        let folder = try TemporaryFolder()
        let first = try StoreBackEnd(.plain, folder: folder.path)
        _ = try first.run("registerSoup", Self.soup)
        _ = try first.run("beginTransaction", JSONObject())
        _ = try first.run("upsertSoupEntries", Self.entry)
        #expect(try first.run("countQuery", Self.count) == 1)
        first.close()
        let second = try StoreBackEnd(.plain, folder: folder.path)
        #expect(try second.run("countQuery", Self.count) == 0)
        second.close()
    }

    @Test func `calls of a transaction run within the time limit too`() throws {
        let unlimited = try StoreBackEnd(.plain, timeLimit: nil)
        defer { unlimited.close() }
        let limited = try StoreBackEnd(.plain)
        defer { limited.close() }
        for backEnd in [unlimited, limited] {
            _ = try backEnd.run("registerSoup", Self.soup)
            for end in ["commit", "rollback"] {
                _ = try backEnd.run("beginTransaction", JSONObject())
                _ = try backEnd.run("upsertSoupEntries", Self.entry)
                #expect(try backEnd.run(end, JSONObject()) == true)
            }
            #expect(try backEnd.run("countQuery", Self.count) == 1)
        }
    }

    @Test(arguments: [[], [JSONValue.object(["call": "nothing"])]])
    func `a transaction that an answer leaves open is rolled back`(_ further: [JSONValue]) throws {
        let backEnd = try StoreBackEnd(.plain)
        defer { backEnd.close() }
        let specs: JSONValue = [
            ["path": "Id", "type": "string"], ["path": "__local__", "type": "string"],
            ["path": "__sync_id__", "type": "integer"],
        ]
        _ = try backEnd.run("registerSoup", ["soupName": "a", "indexSpecs": specs])
        let open: [JSONValue] = [
            ["call": "beginTransaction"],
            ["call": "upsertSoupEntries", "args": ["soupName": "a", "entries": [["Id": "9"]]]],
        ]
        let answer: JSONValue = [
            "body": ["totalSize": 0, "done": true, "records": []], "meanwhile": .array(open + further),
        ]
        _ = try backEnd.run("sync.answers", ["answers": [answer]])
        let run = try backEnd.run(
            "sync.runSync",
            [
                "type": "syncDown", "soupName": "a",
                "target": ["type": "soql", "query": "select Id, Name from Account"],
            ])
        #expect(run["sync"]?["status"] == "FAILED")
        #expect(run["sync"]?["errorCode"] == "invalidArguments")
        #expect(try backEnd.run("countQuery", Self.count) == 0)
        #expect(try backEnd.run("beginTransaction", JSONObject()) == true)
    }
}
