import EntryCoding
import Foundation
import JSONText
import SQLiteAccess
import Soups
import Synchronization
import TestSupport

@testable import OfflineStore

/// A call that must throw a fault of this code.
struct Drive {
    /// Nil for an error that is no fault.
    let code: Fault.Code?
    let call: () throws -> Void
}

/// Calls of an open store that fail, with the marker wherever a value can be.
struct StoreDrives {
    let statements = Shared<[String]>([])
    let all: [Drive]

    init(_ backEnd: BackEnd) throws {
        let marker = FaultSecrecyTests.marker
        let setup = try StoreFolder(backEnd)
        let statements = statements
        let store = try setup.open { options in
            options.events = { event in statements.withLock { $0.append(event.statement ?? "") } }
            options.settings.busyTimeout = 20
            options.smartQueryTime = .milliseconds(20)
        }
        let folder = setup.folder
        let entry = "{\"k\":\"\(marker)\",\"t\":\"\(marker)\",\"n\":1}".bytes
        try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t"), .integer("n")])
        try store.registerSoup(SoupSpec(name: "e", features: [.externalStorage]), indexSpecs: [.string("k")])
        try store.upsert([entry, entry], into: "s")
        try store.upsert([entry], into: "e")
        let values = try KeyValueStore(path: folder.file("values.db"), options: setup.options())
        let cursor = try store.query(.exact(path: "k", matchKey: .string(marker)), soup: "s")
        func smart(_ text: String, _ arguments: [SQLValue] = []) throws {
            _ = try store.rows(text, arguments: arguments)
        }
        struct Number: Codable { var k: Int }
        struct Own: Error { let value: String }

        var all = [
            Drive(code: .soupNotFound) { try store.upsert([entry], into: "gone") },
            Drive(code: .invalidSoupName) { try store.registerSoup("", indexSpecs: [.string("k")]) },
            Drive(code: .invalidStoreName) {
                let options = try setup.options()
                _ = try StoreDirectory(root: folder.file("stores"), user: marker) { _ in options }.store(.init("a/b"))
            },
            Drive(code: .invalidIndexSpec) { try store.registerSoup("x", indexSpecs: [.string("a:b")]) },
            Drive(code: .noIndexSpecs) { try store.registerSoup("x", indexSpecs: []) },
            Drive(code: .json1WithExternalStorage) {
                try store.registerSoup(SoupSpec(name: "x", features: [.externalStorage]), indexSpecs: [.json1("k")])
            },
        ]
        let texts = [
            "{\"k\":\"\(marker)\",}", "{\"k\":\"\(marker)\",\"k\":\"\(marker)\"}", "[\"\(marker)\"]",
            "\"\(marker)\"", "{\"k\":\"\(marker)\\u0000\"}", "{\"k\":\(marker)}", "{\"k\":\"\(marker)",
            "{\"k\":\"\(marker)\\x\"}",
        ]
        all += texts.map { text in Drive(code: .invalidEntry) { try store.upsert([text.bytes], into: "s") } }
        all += [
            Drive(code: .entryNotFound) {
                try store.update([Identified(id: 99, value: ["k": marker])], in: "s")
            },
            Drive(code: .pathNotIndexed) {
                _ = try store.query(.exact(path: "x", matchKey: .string(marker)), soup: "s")
            },
            Drive(code: .externalIdMissing) {
                try store.upsert(["{\"t\":\"\(marker)\"}".bytes], into: "s", externalIdPath: "k")
            },
            Drive(code: .externalIdNotUnique) { try store.upsert([entry], into: "s", externalIdPath: "k") },
            Drive(code: .invalidArguments) {
                let twice = StoreMigration("m0") { _ in throw Own(value: marker) }
                _ = try store.migrateNow([twice, twice])
            },
            Drive(code: .invalidEntry) { _ = try store.load(jsonLines: ByteSource(entry + entry), into: "s") },
            Drive(code: .corrupt) { try Self.damaged(store, folder) },
            Drive(code: .readOnly) {
                let reading = try setup.open { $0.access = .readOnly }
                try reading.upsert([entry], into: "s")
            },
            Drive(code: .diskFull) {
                let other = try StoreFolder(backEnd)
                let small = try other.open { $0.settings.maximumPageCount = 60 }
                try small.registerSoup("s", indexSpecs: [.string("k")])
                try small.upsert(Array(repeating: entry, count: 10_000), into: "s")
            },
            Drive(code: .busy) {
                try setup.look { other in
                    try other.execute("BEGIN IMMEDIATE")
                    try store.upsert([entry], into: "s")
                }
            },
            Drive(code: .closed) {
                let other = try StoreFolder(backEnd).open()
                try other.close()
                try other.upsert([entry], into: "s")
            },
            Drive(code: .suspended) {
                let other = try StoreFolder(backEnd).open()
                try other.suspend()
                try other.upsert([entry], into: "s")
            },
            Drive(code: .conflict) {
                let state = try store.read { $0.commit }
                try store.upsert([entry], into: "s")
                try store.transaction { try $0.requireUnchanged(since: state, soups: ["s"]) }
            },
            Drive(code: .inputOutput) {
                _ = try store.load(jsonLines: ByteSource(file: folder.file("none")), into: "s")
            },
            Drive(code: .invalidKeyName) {
                try values.set(entry, for: String(repeating: marker, count: 100))
            },
            Drive(code: .typeMismatch) {
                try values.set(marker.bytes + [0xFF], for: "k")
                _ = try values.string(for: "k")
            },
            Drive(code: nil) { _ = try values.value(Int.self, for: "k") },
            Drive(code: .migrationFailed) {
                _ = try store.migrateNow([StoreMigration("m1") { _ in throw Own(value: marker) }])
            },
            Drive(code: .migrationFailed) {
                _ = try store.migrateNow([
                    StoreMigration("m1") { context in
                        try context.rewrite("s") { _ in .replace("{\"k\":\"\(marker)\",}".bytes) }
                    }
                ])
            },
            Drive(code: .storeNewerThanApp) { _ = try store.migrateNow([]) },
        ]
        all += Self.queries(store, cursor, smart)
        all += [
            Drive(code: .typeMismatch) {
                _ = try store.rows("select {s:k} from {s}")[0].int64(0)
            },
            Drive(code: .typeMismatch) { _ = try store.rows(Number.self, "select {s:k} as k from {s}") },
            Drive(code: .typeMismatch) { _ = try store.values(Number.self, ids: [1], from: "s") },
            Drive(code: nil) { _ = try JSONValue(parsing: "{\"k\":\"\(marker)\",}".bytes) },
            Drive(code: .invalidJSON) {
                _ = try EntryDecoder().decode(Number.self, from: "{\"k\":\(marker)}".bytes)
            },
        ]
        self.all = all
    }

    private static func queries(
        _ store: SmartStore, _ cursor: StoreCursor, _ smart: @escaping (String, [SQLValue]) throws -> Void
    ) -> [Drive] {
        let marker = FaultSecrecyTests.marker
        let endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c where x < ?"
        return [
            Drive(code: .invalidQuerySpec) {
                _ = try QuerySpec(json: .object(["queryType": "exact", "matchKey": .string(marker)]))
            },
            Drive(code: .invalidPageSize) {
                _ = try store.query(.exact(path: "k", matchKey: .string(marker), pageSize: 0), soup: "s")
            },
            Drive(code: .notASelect) { try smart("delete from x where y = '\(marker)'", []) },
            Drive(code: .invalidReference) { try smart("select {s:k:x} from {s} where {s:k} = '\(marker)'", []) },
            Drive(code: .matchInSmartSQL) { try smart("select 1 from {s} where x match '\(marker)'", []) },
            Drive(code: .argumentsMismatch) { try smart("select {s:k} from {s}", [.text(marker)]) },
            Drive(code: .sqlError) { try smart("select {s:k} from {s} where {s:k} = 'a' '\(marker)'", []) },
            Drive(code: .sqlError) { try smart("select {s:k} from {s} where {s:k} = '\(marker)' '\(marker)'", []) },
            Drive(code: .sqlError) {
                try smart("select {s:k} from {s} where abs(?, ?) = 1", [.text(marker), .text(marker)])
            },
            Drive(code: .sqlError) { try smart("select json_extract(?, '$.a') from {s}", [.text("{\(marker)")]) },
            Drive(code: .invalidMatchExpression) {
                _ = try store.query(.match(path: "t", matchKey: "(\(marker) AND"), soup: "s")
            },
            Drive(code: .invalidMatchExpression) {
                _ = try store.query(.match(path: "t", matchKey: "\"\(marker)"), soup: "s")
            },
            Drive(code: .limitExceeded) { try smart(endless, [.text(marker)]) },
            Drive(code: .firstPage) { try cursor.moveToPreviousPage() },
            Drive(code: .lastPage) { try cursor.moveToNextPage() },
        ]
    }

    /// Cuts the file of an external entry in the middle, and reads it.
    private static func damaged(_ store: SmartStore, _ folder: TemporaryFolder) throws {
        let root = ElementFiles.root(ofStore: store.path)
        let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        for name in files {
            let url = URL(filePath: root + "/" + name)
            if var data = try? Data(contentsOf: url), data.count > 4 {
                data[data.count / 2] ^= 0xFF
                try data.write(to: url)
            }
        }
        _ = try store.retrieve(id: 1, from: "e")
    }
}

/// Calls with a key that fail.
enum KeyDrives {
    static var all: [Drive] {
        get throws {
            let marker = FaultSecrecyTests.marker
            let key = try Key(passphrase: marker)
            let digits = marker.utf8.map { String($0, radix: 16) }.joined()
            let keyed = try StoreFolder(.cipher)
            let bare = try StoreFolder(.cipherOff)
            try keyed.open().close()
            try bare.open().close()
            func open(_ setup: StoreFolder, _ key: Key?, _ library: BackEnd = .cipher) throws {
                var options = StoreOptions(library: try library.library(), key: key)
                options.access = .readWrite
                _ = try SmartStore(path: setup.path, options: options)
            }
            return [
                Drive(code: .wrongKey) { try open(keyed, key) },
                Drive(code: .keyMissing) { try open(keyed, nil) },
                Drive(code: .notEncrypted) { try open(bare, key) },
                Drive(code: .encryptionUnavailable) { try open(bare, key, .plain) },
                Drive(code: .invalidKey) {
                    _ = try Key(passphrase: "x'" + digits.padding(toLength: 64, withPad: "0", startingAt: 0) + "'")
                },
                Drive(code: .invalidKey) { _ = try Key(raw: Array(marker.utf8)) },
            ]
        }
    }
}

/// A value that closures share.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func withLock<R>(_ body: (inout sending Value) throws -> sending R) rethrows -> R { try value.withLock(body) }
}
