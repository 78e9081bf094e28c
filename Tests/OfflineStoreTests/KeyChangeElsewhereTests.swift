import FoundationEssentials
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// One process changes the key of a store while another one opens it.
@Suite(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
struct KeyChangeElsewhereTests {
    /// The codes that a process may get that opens the store all the time: it has the wrong one of the two keys, or
    /// cannot get the lock.
    @Test(arguments: [5, 2000])
    func `another process that opens the store gets it, wrongKey or busy, and nothing else`(
        _ patience: Int
    ) async throws {
        let setup = try StoreFolder(.cipher)
        try blocking {
            let store = try setup.open()
            try store.registerSoup("s", indexSpecs: [.string("k")])
            try store.upsert((1...200).map { "{\"k\":\"\($0)\"}".bytes }, into: "s")
            try store.close()
        }
        let path = setup.path
        async let changing: Void = {
            await #expect(processExitsWith: .exitCode(0)) { [path = path as String] in
                leave(try KeyChangeElsewhereTests.changeAllTheTime(path))
            }
        }()
        async let opening: Void = {
            await #expect(processExitsWith: .exitCode(0)) { [path = path as String, patience = patience as Int] in
                leave(try KeyChangeElsewhereTests.openAllTheTime(path, patience))
            }
        }()
        _ = await (changing, opening)
        for name in ["-changes", "-openings"] {
            let seen = try String(decoding: Data(contentsOf: URL(filePath: path + name)), as: UTF8.self)
            let codes = Set(
                seen.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 2).last.map(String.init) ?? "" })
            #expect(codes.isSubset(of: ["changed", "opened", "busy", "wrongKey"]), "\(name): \(seen)")
        }
    }

    /// Changes the key back and forth until there were enough changes and openings; 0 if that succeeded at least once,
    /// and failed only with busy.
    static func changeAllTheTime(_ path: String) throws -> Int32 {
        defer { FileSignal(path + "-changes-ended").raise() }
        let openings = (ended: FileSignal(path + "-openings-ended"), enough: FileSignal(path + "-openings-enough"))
        var seen: [String: Int] = [:]
        var options = StoreOptions(library: try BackEnd.cipher.library(), key: try BackEnds.key(7))
        options.settings.busyTimeout = 60_000
        var store = try SmartStore(path: path, options: options)
        var seed: UInt8 = 7
        _ = Waiting.block(unless: { openings.ended.isRaised }) {
            let next: UInt8 = seed == 7 ? 8 : 7
            do throws(Fault) {
                try store.rekey(to: BackEnds.key(next))
                seed = next
                seen["changed", default: 0] += 1
            } catch {
                seen[error.code.rawValue + (error.code == .busy ? "" : ": \(error.message)"), default: 0] += 1
            }
            return seen["changed", default: 0] >= 15 && openings.enough.isRaised
        }
        let count = try store.count(.all(), soup: "s")
        try store.close()
        options.key = try BackEnds.key(seed)
        store = try SmartStore(path: path, options: options)
        try write(seen, path + "-changes")
        return Set(seen.keys).isSubset(of: ["changed", "busy"]) && seen["changed"] != nil && count == 200 ? 0 : 1
    }

    /// Opens with either key as long as keys are changed; 0 if nothing unexpected happened.
    static func openAllTheTime(_ path: String, _ patience: Int) throws -> Int32 {
        defer { FileSignal(path + "-openings-ended").raise() }
        let changesEnded = FileSignal(path + "-changes-ended")
        var seen: [String: Int] = [:]
        var number: UInt8 = 0
        _ = try Waiting.block {
            number &+= 1
            var options = StoreOptions(library: try BackEnd.cipher.library(), key: try BackEnds.key(7 + number % 2))
            options.settings.busyTimeout = patience
            if number % 3 == 0 {
                options.access = .readWrite
            }
            do throws(Fault) {
                let store = try SmartStore(path: path, options: options)
                let count = try store.count(.all(), soup: "s")
                try store.close()
                seen[count == 200 ? "opened" : "opened with \(count)", default: 0] += 1
            } catch {
                seen[
                    error.code.rawValue + (error.code == .busy || error.code == .wrongKey ? "" : ": \(error.message)"),
                    default: 0] += 1
            }
            if seen["opened", default: 0] >= 10, seen.values.reduce(0, +) >= 50 {
                FileSignal(path + "-openings-enough").raise()
            }
            return changesEnded.isRaised
        }
        try write(seen, path + "-openings")
        return Set(seen.keys).isSubset(of: ["opened", "wrongKey", "busy"]) ? 0 : 1
    }

    private static func write(_ seen: [String: Int], _ path: String) throws {
        try Data(seen.map { "\($0.value) times \($0.key)\n" }.sorted().joined().utf8).write(to: URL(filePath: path))
    }

    /// Calls the blocking forms from asynchronous code.
    private func blocking<R>(_ work: () throws -> R) rethrows -> R { try work() }
}
