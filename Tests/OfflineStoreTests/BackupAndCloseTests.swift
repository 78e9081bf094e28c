import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineStore

/// Calls that need the store alone, while a backup copies it.
@Suite(.serialized)
struct BackupAndCloseTests {
    /// Makes a backup whose progress waits until another call waits for its end, and then runs work.
    private static func copier(
        of filled: FilledStore, _ isCopying: Signal, _ work: @escaping @Sendable () -> Void = {}
    ) -> OwnThread<BackupSummary> {
        let store = filled.store
        return OwnThread {
            try store.connections.backup(to: filled.copy, key: .same, cancellation: nil) { _ in
                guard !isCopying.isRaised else { return }
                isCopying.raise()
                _ = Waiting.block { store.connections.gate.keepsCopiesOut }
                work()
            }
        }
    }

    @Test(arguments: [BackEnd.plain, .cipher])
    func `closing waits for a backup, whose progress may read and write`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let filled = try FilledStore(backEnd)
        let store = filled.store
        let isCopying = Signal()
        let seen = Mutex<[String]>([])
        let copier = Self.copier(of: filled, isCopying) {
            let count = try? store.count(.all(), soup: "s")
            let written = try? store.upsert([FilledStore.entry(21)], into: "s").count
            let nested = faultCode { _ = try store.backupNow(to: filled.copy + ".2", key: .same) }
            let closing = faultCode { try store.close() }
            seen.withLock { lines in
                lines = ["\(count ?? -1)", "\(written ?? -1)", "\(nested as Any)", "\(closing as Any)"]
            }
        }
        try await copier.reaches(isCopying)
        let closer = OwnThread { try store.close() }
        let summary = try await copier.value()
        try await closer.value()
        let busy = "\(Fault.Code.busy as Fault.Code? as Any)"
        #expect(seen.withLock { $0 } == ["20", "1", busy, busy])
        #expect(summary.soups.map(\.name) == ["s", "x"])
        #expect(faultCode { _ = try store.count(.all(), soup: "s") } == .closed)
        let copy = try filled.openCopy()
        #expect(try copy.integrityCheckNow().isSound)
    }

    @Test
    func `a change of key waits for a backup, which keeps the former key`() async throws {
        try BackEnd.cipher.skipIfMissing()
        let filled = try FilledStore(.cipher)
        let store = filled.store
        let isCopying = Signal()
        let copier = Self.copier(of: filled, isCopying)
        try await copier.reaches(isCopying)
        let key = try BackEnds.key(51)
        let changer = OwnThread { try store.rekey(to: key) }
        _ = try await copier.value()
        try await changer.value()
        #expect(try await store.count(.all(), soup: "s") == 20)
        #expect(try await filled.openCopy().count(.all(), soup: "s") == 20)
        let another = filled.copy + ".2"
        _ = try store.backupNow(to: another, key: .same)
        #expect(faultCode { _ = try SmartStore(path: another, options: try filled.setup.options()) } == .wrongKey)
    }

    @Test
    func `a reader that a backup waits for may write while closing waits for the backup`() async throws {
        let filled = try FilledStore(.plain) { $0.maximumReaders = 1 }
        let store = filled.store
        let isCopying = Signal()
        let isReading = Signal()
        let copier = Self.copier(of: filled, isCopying) {
            // The only room for a reader is taken.
            _ = try? store.count(.all(), soup: "s")
        }
        try await copier.reaches(isCopying)
        let reader = OwnThread {
            try store.read { _ in
                isReading.raise()
                _ = Waiting.block {
                    store.connections.gate.keepsCopiesOut && store.connections.gate.waitingCount(.reading) == 1
                }
                _ = try store.upsert([FilledStore.entry(21)], into: "s")
            }
        }
        try await reader.reaches(isReading)
        let closer = OwnThread { try store.close() }
        _ = try await copier.value()
        try await reader.value()
        try await closer.value()
        #expect(try filled.openCopy().integrityCheckNow().isSound)
    }

    @Test
    func `reopening changes the number of readers`() async throws {
        let store = try StoreFolder(.plain).open { $0.maximumReaders = 1 }
        try await store.registerSoup("s", indexSpecs: [.integer("n")])
        try await store.reopen { $0.maximumReaders = 2 }
        let isReading = Signal()
        let isBoth = Signal()
        let reader = OwnThread {
            try store.read { _ in
                isReading.raise()
                isBoth.block()
            }
        }
        try await reader.reaches(isReading)
        #expect(try await store.count(.all(), soup: "s") == 0)
        isBoth.raise()
        try await reader.value()
    }
}
