import Foundation
import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineStore

/// Stores of an app that is about to be suspended: APP-25.
@Suite struct SuspensionTests {
    private static let endless =
        "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c where x < 0"

    private struct Own: Error {}

    private func filled(_ backEnd: BackEnd) throws -> (StoreFolder, SmartStore) {
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t")])
        try store.upsert([#"{"k":"before","t":"words"}"#.bytes], into: "s")
        return (setup, store)
    }

    /// Whether nothing has the file open: only then it can leave WAL.
    private func isFree(_ setup: StoreFolder) throws -> Bool {
        do {
            return try setup.texts("PRAGMA journal_mode = DELETE") == ["delete"]
        } catch let fault as Fault where fault.code == .busy {
            return false
        }
    }

    /// Expects that nothing has the suspended store open, and that it works again with what it had before.
    private func expectFreeAndUntouched(_ setup: StoreFolder, _ store: SmartStore) throws {
        #expect(try isFree(setup))
        try store.resume()
        #expect(try store.count(.all(), soup: "s") == 1)
        try store.upsert([#"{"t":"words"}"#.bytes], into: "s")
        #expect(try store.count(.match(matchKey: "words"), soup: "s") == 2)
        #expect(try setup.texts("PRAGMA integrity_check") == ["ok"])
    }

    @Test(arguments: BackEnd.allCases)
    func `a suspended store holds no lock, and works after it is resumed`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try filled(backEnd)
        let cursor = try store.query(.all(pageSize: 1), soup: "s")
        let changes = store.changes()
        #expect(try !isFree(setup))
        try store.suspend()
        try store.suspend()
        #expect(store.isSuspended && !store.wasClosed)
        #expect(try isFree(setup))
        let calls: [() throws -> Void] = [
            { _ = try store.retrieve(id: 1, from: "s") },
            { _ = try store.count(.all(), soup: "s") },
            { _ = try store.upsert(["{}".bytes], into: "s") },
            { try store.read { _ in } },
            { try store.transaction { _ in } },
            { try cursor.moveToPage(0) },
            { try store.reopen() },
            { try store.rekey(to: nil) },
            { _ = try store.databaseSize() },
            { _ = try store.alterSoup("s", indexSpecs: [.string("t")]) },
        ]
        for (number, call) in calls.enumerated() {
            #expect(faultCode(call) == .suspended, "call \(number)")
        }
        #expect(try isFree(setup))
        try store.resume()
        try store.resume()
        #expect(!store.isSuspended)
        #expect(try store.count(.all(), soup: "s") == 1)
        try cursor.moveToPage(0)
        try store.upsert(["{}".bytes], into: "s")
        // Others may have written in between.
        #expect(changes.takeKnown().map(\.ids) == [.all])
    }

    @Test(arguments: BackEnd.allCases)
    func `calls under way end, and a transaction is rolled back whatever its work does`(_ backEnd: BackEnd) async throws
    {
        try backEnd.skipIfMissing()
        let (setup, store) = try blocking { try filled(backEnd) }
        let (isWriting, isReading) = (Signal(), Signal())
        let writer = OwnThread { () -> [Fault.Code?] in
            var codes: [Fault.Code?] = []
            codes.append(
                faultCode {
                    try store.transaction { transaction in
                        try transaction.upsert(["{}".bytes], into: "s")
                        isWriting.raise()
                        _ = Waiting.block { store.isSuspended }
                        codes.append(faultCode { try transaction.upsert(["{}".bytes], into: "s") })
                        codes.append(faultCode { _ = try store.count(.all(), soup: "s") })
                        codes.append(faultCode { _ = try transaction.reading { try $0.count(.all(), in: "s") } })
                    }
                })
            return codes
        }
        let query = OwnThread { faultCode { _ = try store.runSmartQuery(.smart(Self.endless)) } }
        let waiting = Task { try await store.runSmartQuery(.smart(Self.endless)) }
        let reader = OwnThread {
            faultCode {
                try store.read { reader in
                    isReading.raise()
                    _ = Waiting.block { store.isSuspended }
                    _ = try reader.retrieve(id: 1, from: "s")
                }
            }
        }
        try await writer.reaches(isWriting)
        try await reader.reaches(isReading)
        try await Task.sleep(for: .milliseconds(50))
        try await store.suspend()
        #expect(try await writer.value() == [.suspended, .suspended, .suspended, .suspended])
        #expect(try await query.value() == .suspended)
        #expect(try await reader.value() == .suspended)
        let error = await #expect(throws: Fault.self) { try await waiting.value }
        #expect(error?.code == .suspended)
        try await Threads.run { try expectFreeAndUntouched(setup, store) }
    }

    @Test func `work in a suspended store may throw an error of its own, and nothing is kept`() throws {
        let (_, store) = try filled(.plain)
        let thread = Mutex<OwnThread<Void>?>(nil)
        #expect(throws: Own.self) {
            try store.transaction { transaction in
                try transaction.upsert(["{}".bytes], into: "s")
                thread.withLock { $0 = OwnThread { try store.suspend() } }
                _ = Waiting.block { store.isSuspended }
                _ = try? transaction.upsert(["{}".bytes], into: "s")
                throw Own()
            }
        }
        _ = Waiting.block { thread.withLock { $0?.hasEnded ?? false } }
        try store.resume()
        #expect(try store.count(.all(), soup: "s") == 1)
    }

    @Test func `a call of its own cannot suspend a store`() throws {
        let (_, store) = try filled(.plain)
        #expect(faultCode { try store.transaction { _ in try store.suspend() } } == .busy)
        #expect(faultCode { try store.read { _ in try store.suspend() } } == .busy)
        #expect(!store.isSuspended)
        #expect(try store.count(.all(), soup: "s") == 1)
    }

    @Test func `an alteration that was cut is finished by resume`() async throws {
        let (_, store) = try blocking { try filled(.plain) }
        _ = try blocking { try store.upsert((1...2000).map { #"{"k":"\#($0)","t":"words"}"#.bytes }, into: "s") }
        let began = Signal()
        let alteration = OwnThread {
            faultCode {
                try store.alterSoup("s", indexSpecs: [.string("t")]) { progress in
                    guard progress.step != .starting else { return }
                    began.raise()
                    _ = Waiting.block { store.isSuspended }
                }
            }
        }
        try await alteration.reaches(began)
        try await store.suspend()
        #expect(try await alteration.value() == .suspended)
        try await store.resume()
        let (paths, count) = try blocking {
            let count = try store.count(.exact(path: "t", matchKey: "words"), soup: "s")
            return (try store.indexSpecs(ofSoup: "s").map(\.path), count)
        }
        #expect(paths == ["t"] && count == 2001)
        #expect(try store.integrityCheckNow().isSound)
    }

    @Test func `a store that cannot be opened again stays suspended`() throws {
        let (setup, store) = try filled(.plain)
        try store.suspend()
        try FileManager.default.moveItem(atPath: setup.path, toPath: setup.folder.file("away.db"))
        #expect(faultCode { try store.resume() } == .storeNotFound)
        #expect(store.isSuspended)
        #expect(faultCode { _ = try store.count(.all(), soup: "s") } == .suspended)
        try FileManager.default.moveItem(atPath: setup.folder.file("away.db"), toPath: setup.path)
        try store.resume()
        #expect(try store.count(.all(), soup: "s") == 1)
    }

    @Test func `a suspended store can be closed, and a closed one is not suspended`() throws {
        let (_, store) = try filled(.plain)
        try store.suspend()
        try store.close()
        #expect(!store.isSuspended && store.wasClosed)
        #expect(faultCode { _ = try store.count(.all(), soup: "s") } == .closed)
        try store.suspend()
        #expect(!store.isSuspended)
        try store.reopen()
        #expect(try store.count(.all(), soup: "s") == 1)
    }

    @Test(arguments: BackEnd.allCases)
    func `many threads meet only the fault of suspended stores, and nothing acknowledged is lost`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try blocking { try filled(backEnd) }
        let over = Signal()
        let stored = Atomic(0)
        let threads = (0..<6).map { number in
            OwnThread {
                while !over.isRaised {
                    do {
                        if number.isMultiple(of: 2) {
                            try store.upsert([#"{"k":"x","t":"words"}"#.bytes], into: "s")
                            stored.add(1, ordering: .relaxed)
                        } else {
                            _ = try store.count(.match(matchKey: "words"), soup: "s")
                        }
                    } catch let fault as Fault where fault.code == .suspended {
                        _ = Waiting.block { !store.isSuspended || over.isRaised }
                    }
                }
            }
        }
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(5))
            try await store.suspend()
            let isUnlocked = try blocking { try isFree(setup) }
            #expect(isUnlocked)
            try await store.resume()
        }
        over.raise()
        for thread in threads {
            try await thread.value()
        }
        let count = try blocking { try store.count(.all(), soup: "s") }
        #expect(count == 1 + stored.load(ordering: .relaxed))
        #expect(try store.integrityCheckNow().isSound)
    }

    @Test func `live values wait while the store is suspended, and go on after it is resumed`() async throws {
        let (_, store) = try blocking { try filled(.plain) }
        var begun = store.liveCount(.all(), in: "s").makeAsyncIterator()
        #expect(try await begun.next() == 1)
        try await store.suspend()
        let fresh = Task {
            var counts = store.liveCount(.all(), in: "s").makeAsyncIterator()
            return try await counts.next()
        }
        // It has met the suspended store by then, in nearly all runs.
        try await Task.sleep(for: .milliseconds(20))
        #expect(faultCode { _ = try blocking { try store.liveCount(.all(), in: "s").start() } } == .suspended)
        try await store.resume()
        #expect(try await fresh.value == 1)
        try await store.upsert(["{}".bytes], into: "s")
        #expect(try await begun.next() == 2)
    }

    @Test func `whoever resumes a store finds it ready, also while another thread prepares it`() async throws {
        let (_, store) = try blocking { try filled(.plain) }
        _ = try blocking { try store.upsert((1...3000).map { #"{"k":"\#($0)","t":"words"}"#.bytes }, into: "s") }
        for turn in 0..<4 {
            let path = turn.isMultiple(of: 2) ? "t" : "k"
            let began = Signal()
            let alteration = OwnThread {
                faultCode {
                    try store.alterSoup("s", indexSpecs: [.string(path)]) { progress in
                        guard progress.step != .starting else { return }
                        began.raise()
                        _ = Waiting.block { store.isSuspended }
                    }
                }
            }
            try await alteration.reaches(began)
            try await store.suspend()
            #expect(try await alteration.value() == .suspended)
            let threads = (0..<4).map { _ in
                OwnThread { () -> [String] in
                    try store.resume()
                    // The alteration would make this call throw `busy`.
                    _ = try store.query(.all(pageSize: 1), soup: "s")
                    return try store.indexSpecs(ofSoup: "s").map(\.path)
                }
            }
            for thread in threads {
                #expect(try await thread.value() == [path])
            }
        }
    }

    @Test func `a store cannot be resumed inside its own call`() throws {
        let (_, store) = try filled(.plain)
        #expect(throws: Own.self) {
            try store.transaction { _ in
                let thread = OwnThread { try store.suspend() }
                _ = Waiting.block { store.isSuspended }
                #expect(faultCode { try store.resume() } == .busy)
                withExtendedLifetime(thread) {}
                throw Own()
            }
        }
        _ = Waiting.block { (try? store.resume()) != nil && !store.isSuspended }
        #expect(try store.count(.all(), soup: "s") == 1)
    }

    @Test(arguments: BackEnd.allCases)
    func `suspension waits for changes of the key and compaction, or ends them`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try blocking { try filled(backEnd) }
        let texts = (1...4000).map { #"{"k":"\#($0)","t":"words and more words \#($0)"}"#.bytes }
        _ = try blocking { try store.upsert(texts, into: "s") }
        let copy = setup.folder.file("copy.db")
        let works: [@Sendable () throws -> Void] = [
            { _ = try store.compactNow() },
            { _ = try store.backupNow(to: copy) },
            { try store.clearSoup("s") },
        ]
        for (number, work) in works.enumerated() {
            for delay in [0, 1, 4, 15] {
                let thread = OwnThread { faultCode { try work() } }
                try await Task.sleep(for: .milliseconds(delay))
                try await store.suspend()
                let isUnlocked = try blocking { try isFree(setup) }
                #expect(isUnlocked, "work \(number) after \(delay) ms")
                let code = try await thread.value()
                #expect([nil, .suspended].contains(code), "work \(number) after \(delay) ms: \(code?.rawValue ?? "")")
                #expect(FileManager.default.fileExists(atPath: copy) == (number == 1 && code == nil))
                try? FileManager.default.removeItem(atPath: copy)
                try await store.resume()
                #expect(try store.integrityCheckNow().isSound)
            }
        }
    }

    @Test func `a change of the key that was made is not called suspended`() async throws {
        try BackEnd.cipher.skipIfMissing()
        let (setup, store) = try blocking { try filled(.cipher) }
        var key = try setup.options().key
        var ends: [Fault.Code?: Int] = [:]
        for number in 0..<40 {
            let next = try Key(raw: [UInt8](repeating: UInt8(number), count: 32))
            let thread = OwnThread { faultCode { try store.rekey(to: next) } }
            try await Task.sleep(for: .microseconds(number * 250))
            try await store.suspend()
            let code = try await thread.value()
            ends[code, default: 0] += 1
            #expect(code == nil || code == .suspended)
            key = code == nil ? next : key
            let present = key
            let count = try blocking { () -> Int in
                let other = try setup.open { $0.key = present }
                defer { try? other.close() }
                return try other.count(.all(), soup: "s")
            }
            #expect(count == 1)
            try await store.resume()
        }
        print("rekey and suspend: \(ends)")
    }

    @Test func `a store that is suspended while it is reopened can be resumed`() async throws {
        let (_, store) = try blocking { try filled(.plain) }
        for number in 0..<60 {
            let thread = OwnThread { faultCode { try store.reopen { $0.maximumReaders = 1 + number % 3 } } }
            try await Task.sleep(for: .microseconds(number * 20))
            try await store.suspend()
            let code = try await thread.value()
            #expect(code == nil || code == .suspended)
            try await store.resume()
            #expect(try blocking { try store.count(.all(), soup: "s") } == 1)
        }
    }

    @Test func `a check of a suspended store finds nothing damaged`() async throws {
        let (_, store) = try blocking { try filled(.plain) }
        _ = try blocking { try store.upsert((1...5000).map { #"{"k":"\#($0)","t":"words"}"#.bytes }, into: "s") }
        let check = OwnThread { try store.integrityCheckNow() }
        try await store.suspend()
        do {
            #expect(try await check.value().isSound)
        } catch let fault as Fault {
            #expect(fault.code == .suspended)
        }
    }

    @Test func `a directory suspends all of its stores, and opens no other`() throws {
        let folder = try TemporaryFolder()
        let stores = try StoreDirectory(root: folder.path, user: "user") { [folder] _ in
            var options = StoreOptions(library: try BackEnd.plain.library())
            options.clock = .system.keeping(folder)
            return options
        }
        let (first, values) = (try stores.store(), try stores.keyValueStore())
        try values.set("x", for: "k")
        try stores.suspend()
        #expect(stores.isSuspended && first.isSuspended && values.isSuspended)
        #expect(try stores.store() === first)
        #expect(faultCode { _ = try stores.store(.init("other")) } == .suspended)
        #expect(faultCode { _ = try stores.keyValueStore(.init("other")) } == .suspended)
        #expect(faultCode { _ = try values.string(for: "k") } == .suspended)
        try stores.resume()
        #expect(try values.string(for: "k") == "x")
        #expect(try first.allSoupNames() == [])
        #expect(try stores.store(.init("other")) !== first)
    }
}
