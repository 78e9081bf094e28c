import JSONText
import LocalChanges
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// What an app may do wrongly with local edits. The transitions are shown by `Corpora/sync/edits.json`.
@Suite struct LocalEditsTests {
    @Test func `pending needs an index on the flag, of any type, and edits need none`() throws {
        let setup = try EditFolder()
        for (name, spec) in [
            ("text", IndexSpec.string("__local__")), ("number", .integer("__local__")), ("json", .json1("__local__")),
        ] {
            try setup.store.registerSoup(name, indexSpecs: [spec])
            let edits = LocalEdits(setup.store, soup: name)
            _ = try edits.create(["a": 1])
            try setup.store.upsert([["__local__": false], ["x": 1]], into: name)
            #expect(try edits.pending().totalEntries == 1, "\(name)")
        }
        try setup.store.registerSoup("bare", indexSpecs: [.string("x")])
        let bare = LocalEdits(setup.store, soup: "bare", keepsOriginals: true)
        _ = try bare.create(["x": 1])
        #expect(faultCode { _ = try bare.pending() } == .pathNotIndexed)
        #expect(faultCode { _ = try bare.pending(pageSize: 0) } != nil)
    }

    @Test func `pending pages are found by key while rows become clean behind the cursor`() throws {
        let setup = try EditFolder()
        for number in 0..<30 {
            _ = try setup.edits().update(setup.addClean(["n": .number(JSONNumber(Int64(number)))]), changes: ["x": 1])
        }
        let cursor = try setup.edits().pending(pageSize: 10)
        var seen: [Int64] = []
        while true {
            let ids = try cursor.currentPage.entries.map {
                try #require(JSONValue(parsing: Array($0))["_soupEntryId"]?.int64)
            }
            seen += ids
            for id in ids {
                try setup.edits().discard(id)
            }
            guard cursor.hasNextPage else { break }
            try cursor.moveToNextPage()
        }
        #expect(seen == Array(1...30))
        #expect(try setup.pending() == [])
        #expect(try setup.store.count(.all(), soup: "contacts_originals") == 0)
    }

    @Test func `two threads that edit one row lose no field and keep one original`() async throws {
        let setup = try EditFolder()
        let id = try setup.addClean(["Id": "1"])
        try await Threads.run(4) { thread in
            for number in 1...25 {
                _ = try setup.edits().update(id, changes: ["t\(thread)": .number(JSONNumber(Int64(number)))])
            }
        }
        let row = try #require(try setup.row(id))
        #expect((0..<4).allSatisfy { row["t\($0)"] == 25 })
        #expect(try await setup.store.count(.all(), soup: "contacts_originals") == 1)
        #expect(try Originals(setup.store, soup: "contacts").original(of: id)?["t0"] == nil)
    }

    @Test func `an update of ten thousand fields takes time linear in them`() throws {
        let setup = try EditFolder()
        func time(_ count: Int) throws -> Duration {
            let fields = JSONObject((0..<count).map { ("f\($0)", 1) })
            let id = try setup.addClean(fields)
            let changes = JSONObject((0..<count).map { ("f\($0)", 2) })
            return try ThreadTime.measure { _ = try setup.edits().update(id, changes: changes) }
        }
        _ = try time(1000)
        let (small, large) = (try time(1000), try time(10_000))
        // Ten times as many: a quadratic update would take a hundred times as long.
        #expect(large < small * 40)
    }

    @Test func `deeply nested values are kept up to the limit of entries, and refused behind it`() throws {
        let setup = try EditFolder()
        let id = try setup.addClean(["Id": "1"])
        func nested(_ depth: Int) -> JSONValue { (0..<depth).reduce(.null) { value, _ in .array([value]) } }
        let updated = try setup.edits().update(id, changes: ["deep": nested(500)])
        #expect(updated["deep"] == nested(500))
        #expect(faultCode { _ = try setup.edits().update(id, changes: ["deep": nested(600)]) } == .invalidEntry)
        #expect(try setup.edits().discard(id)?["deep"] == nil)
    }

    @Test func `a field that is named twice in a change takes the later value`() throws {
        let setup = try EditFolder()
        let id = try setup.addClean(["a": 0])
        #expect(try setup.edits().update(id, changes: JSONObject([("a", 1), ("a", 2)]))["a"] == 2)
        #expect(faultCode { _ = try setup.edits().create(JSONObject([("a", 1), ("a", 2)])) } == .invalidEntry)
    }

    @Test func `numbers keep their digits through edits and undo`() throws {
        let setup = try EditFolder()
        let text = #"{"n":12345678901234567890.10,"m":1e400}"#
        try setup.store.upsert([Array(text.utf8)], into: "contacts")
        let row = try setup.edits().update(1, changes: ["x": 1])
        #expect(row["n"]?.number?.text == "12345678901234567890.10" && row["m"]?.number?.text == "1e400")
        #expect(try setup.edits().discard(1)?["n"]?.number?.text == "12345678901234567890.10")
    }

    @Test func `names that look alike are different fields`() throws {
        let setup = try EditFolder()
        let id = try setup.addClean(["caf\u{E9}": 1])
        let row = try setup.edits().update(id, changes: ["cafe\u{301}": 2])
        #expect(row["caf\u{E9}"] == 1 && row["cafe\u{301}"] == 2)
    }

    @Test func `a closed store and one for reading only refuse edits`() throws {
        let setup = try EditFolder()
        try setup.addClean(["Id": "1"])
        try setup.store.reopen { $0.access = .readOnly }
        #expect(faultCode { _ = try setup.edits().create([:]) } == .readOnly)
        #expect(faultCode { _ = try setup.edits().update(1, changes: ["a": 1]) } == .readOnly)
        try setup.store.close()
        #expect(faultCode { _ = try setup.edits().create([:]) } == .closed)
    }

    @Test func `two stores on one file, as two processes have them, edit the same rows`() async throws {
        let setup = try EditFolder()
        let other = try SmartStore(
            path: setup.folder.file("store.db"), options: StoreOptions(library: BackEnd.plain.library()))
        let id = try setup.addClean(["Id": "1"])
        try await Threads.run(2) { thread in
            let edits = LocalEdits(thread == 0 ? setup.store : other, soup: "contacts", keepsOriginals: true)
            for number in 1...20 {
                _ = try edits.update(id, changes: ["t\(thread)": .number(JSONNumber(Int64(number)))])
                _ = try edits.create(["by": .number(JSONNumber(Int64(thread)))])
            }
        }
        let row = try #require(try setup.row(id))
        #expect(row["t0"] == 20 && row["t1"] == 20)
        #expect(try setup.pending().count == 41)
        try await other.close()
        #expect(try await setup.edits().discard(id)?["t1"] == nil)
    }

    @Test func `random local ids are recognised and never the same`() {
        let ids = (0..<1000).map { _ in LocalId.next(from: .random) }
        #expect(Set(ids).count == 1000)
        #expect(
            ids.allSatisfy { LocalId.isLocal($0) && $0.utf8.count == 38 && $0.dropFirst(6).allSatisfy(\.isHexDigit) })
        #expect(ids.allSatisfy { Array($0.utf8)[6 + 12] == UInt8(ascii: "4") && $0 == $0.lowercased() })
        #expect(!LocalId.isLocal("loca") && !LocalId.isLocal("") && LocalId.isLocal("local_7"))
        #expect(UUIDSource.counting(from: 255).next() == String(repeating: "0", count: 30) + "ff")
    }

    @Test func `differences between versions come in the order of the newer one`() {
        let old: JSONObject = ["a": 1, "b": nil, "gone": 1, "o": ["x": 1, "y": 2], "__local__": true]
        let new: JSONObject = [
            "o": ["y": 2, "x": 1.0], "c": 1, "b": 2, "a": 1.0, "__local__": false, "attributes": [:],
        ]
        #expect(FieldChanges(from: old, to: new).names == ["c", "b", "gone"])
        #expect(FieldChanges(from: ["a": nil], to: [:]).names == ["a"])
        #expect(FieldChanges(from: old, to: old).names == [])
    }
}
