import FoundationEssentials
import JSONText
import Platform
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineStore
@testable import SQLiteAccess

/// The table of cancellation in the documentation of `SmartStore`, row by row.
@Suite(.serialized)
struct CancellationTests {
    private static let endless =
        "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c where x < 0"

    private func store(
        _ backEnd: BackEnd, _ change: (inout StoreOptions) -> Void = { _ in }
    ) throws -> (StoreFolder, SmartStore) {
        let setup = try StoreFolder(backEnd)
        let store = try setup.open(change)
        try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t")])
        try store.upsert([#"{"k":"before","t":"words"}"#.bytes], into: "s")
        return (setup, store)
    }

    private func isCancellation(_ task: Task<some Sendable, any Error>) async -> Bool {
        do {
            _ = try await task.value
            return false
        } catch {
            return error is CancellationError
        }
    }

    /// Expects that the store can be written and read, through its own connections and others, and has the same content
    /// as before.
    private func expectUntouched(_ setup: StoreFolder, _ store: SmartStore) throws {
        #expect(try store.count(.all(), soup: "s") == 1)
        try setup.look { try $0.execute("BEGIN IMMEDIATE; COMMIT") }
        try store.upsert([#"{"k":"after","t":"other words"}"#.bytes], into: "s")
        #expect(try store.count(.match(matchKey: "words"), soup: "s") == 2)
        #expect(try setup.texts("PRAGMA integrity_check") == ["ok"])
    }

    @Test(arguments: BackEnd.allCases)
    func `a call of a task that is cancelled already does nothing`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try blocking { try self.store(backEnd) }
        let cursor = try await store.query(.all(pageSize: 1), soup: "s")
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await store.upsert(["{}".bytes], into: "s") },
            { try await store.remove(ids: [1], from: "s") },
            { try await store.clearSoup("s") },
            { try await store.removeSoup("s") },
            { _ = try await store.registerSoup("t", indexSpecs: [.string("k")]) },
            { _ = try await store.alterSoup("s", indexSpecs: [.string("t")]) },
            { try await store.transaction { _ in try store.clearSoup("s") } },
            { _ = try await store.retrieve(id: 1, from: "s") },
            { _ = try await store.query(.all(), soup: "s") },
            { _ = try await store.count(.all(), soup: "s") },
            { _ = try await store.runSmartQuery(.smart("select {s:k} from {s}")) },
            { _ = try await cursor.moveToPage(0) },
        ]
        for (setup, call) in calls.enumerated() {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await call()
            }
            #expect(await isCancellation(task), "call \(setup)")
        }
        try blocking { try expectUntouched(setup, store) }
    }

    @Test(arguments: BackEnd.allCases)
    func `a call that waits for the writer or a reader leaves the queue at once and does nothing`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try blocking { try self.store(backEnd) { $0.maximumReaders = 1 } }
        let (isWriting, isReading, over) = (Signal(), Signal(), Signal())
        let writer = OwnThread {
            try store.transaction { _ in
                isWriting.raise()
                over.block()
            }
        }
        let reader = OwnThread {
            try store.reading { (_) throws(Fault) in
                isReading.raise()
                over.block()
            }
        }
        try await writer.reaches(isWriting)
        try await reader.reaches(isReading)
        let gate = store.connections.gate
        let write = Task { _ = try await store.upsert(["{}".bytes], into: "s") }
        try await Waiting.suspend { gate.waitingCount(.writing) > 0 }
        let read = Task { _ = try await store.count(.all(), soup: "s") }
        try await Waiting.suspend { gate.waitingCount(.reading) > 0 }
        write.cancel()
        read.cancel()
        // Both end while the store is still held.
        #expect(await isCancellation(write))
        #expect(await isCancellation(read))
        #expect(gate.waitingCount(.writing) == 0 && gate.waitingCount(.reading) == 0)
        over.raise()
        try await writer.value()
        try await reader.value()
        try blocking { try expectUntouched(setup, store) }
    }

    @Test(arguments: BackEnd.allCases)
    func `a running query is interrupted`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        for limit in [nil, .seconds(600)] as [Duration?] {
            let (setup, store) = try blocking { try self.store(backEnd) { $0.smartQueryTime = limit } }
            let task = Task { _ = try await store.runSmartQuery(.smart(Self.endless)) }
            try await Task.sleep(for: .milliseconds(100))
            task.cancel()
            // Without interruption it would never end, or with `limitExceeded`.
            #expect(await isCancellation(task))
            try blocking { try expectUntouched(setup, store) }
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `a single writing call is rolled back whole`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let own = OwnTask()
        let isArmed = Atomic(false)
        let (setup, store) = try blocking {
            try self.store(backEnd) { options in
                let clock = StoreClock.stepping(from: 1_600_000_000_000)
                // The time of the entries is taken when the writer is held and nothing is written yet.
                options.clock = StoreClock {
                    if isArmed.load(ordering: .acquiring) {
                        own.cancel()
                    }
                    return clock.now()
                }
            }
        }
        let all = QuerySpec.smart("select 1 as id from (\(Self.endless))")
        let removal = Task { _ = try await store.remove(matching: all, from: "s") }
        try await Task.sleep(for: .milliseconds(100))
        removal.cancel()
        #expect(await isCancellation(removal))

        // Many entries with full text: the writer is busy as soon as the first is being written.
        let batch = (0..<20_000).map { "{\"k\":\"\($0)\",\"t\":\"words and more words\"}".bytes }
        isArmed.store(true, ordering: .releasing)
        own.start { _ = try await store.upsert(batch, into: "s") }
        await #expect(throws: CancellationError.self) { try await own.value() }
        isArmed.store(false, ordering: .releasing)
        try blocking { try expectUntouched(setup, store) }
    }

    @Test(arguments: BackEnd.allCases)
    func `a write of external entries that is rolled back leaves no file`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let (_, store) = try blocking { try self.store(backEnd) }
        try await store.registerSoup(SoupSpec(name: "e", features: [.externalStorage]), indexSpecs: [.string("k")])
        let task = Task {
            try await store.transaction { _ in
                try store.upsert((0..<5).map { "{\"k\":\"\($0)\"}".bytes }, into: "e")
                while true {
                    try store.upsert([#"{"_soupEntryId":1,"k":"again"}"#.bytes], into: "e")
                }
            }
        }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(await isCancellation(task))
        #expect(try await store.count(.all(), soup: "e") == 0)
        #expect(try blocking { try store.externalStorage(ofSoup: "e").files } == 0)
    }

    @Test(arguments: BackEnd.allCases)
    func `once COMMIT has begun the call completes`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        // SQLite calls the progress handler every 10,000 steps, counted over the whole life of a statement, so it is
        // called during some of these commits.
        let connection = try Connection(inMemory: backEnd.library())
        try connection.execute("CREATE TABLE t (x)")
        let cancellation = Cancellation()
        let watch = connection.handle.watch
        let (begin, commit) = (try connection.prepare("BEGIN"), try connection.prepare("COMMIT"))
        try connection.cancellable(by: cancellation) { () throws(Fault) in
            cancellation.cancel()
            for _ in 0..<12_000 {
                try watch.beginOrEnd { () throws(Fault) in
                    try begin.run()
                    try commit.run()
                }
            }
        }
        #expect(!cancellation.wasNoticed && !connection.isInTransaction)
        #expect(throws: Fault.self) {
            try connection.cancellable(by: cancellation) { () throws(Fault) in try begin.run() }
        }
        #expect(cancellation.wasNoticed && !connection.isInTransaction)
    }

    @Test
    func `a call that was done before the cancellation could be noticed gives its result`() async throws {
        let (_, store) = try blocking { try self.store(.plain) }
        let file = try TemporaryFolder()
        try Data("{\"k\":\"1\"}\n{\"k\":\"2\"}".utf8).write(to: URL(filePath: file.file("lines")))
        let own = OwnTask()
        own.start { _ = try await store.load(jsonLines: file.file("lines"), into: "s") { _ in own.cancel() } }
        try await own.value()
        #expect(try await store.count(.all(), soup: "s") == 3)
    }

    @Test(arguments: BackEnd.allCases)
    func `in a transaction every further call throws, and all is rolled back whatever its work does`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        for callsAgain in [true, false] {
            let (setup, store) = try blocking { try self.store(backEnd) }
            let own = OwnTask()
            let codes = Mutex<[Fault.Code?]>([])
            own.start {
                try await store.transaction { _ in
                    try store.upsert([#"{"k":"first"}"#.bytes], into: "s")
                    own.cancel()
                    guard callsAgain else { return }
                    codes.withLock {
                        $0.append(faultCode { try store.upsert(["{}".bytes], into: "s") })
                        $0.append(faultCode { _ = try store.count(.all(), soup: "s") })
                        $0.append(faultCode { try store.transaction { _ in } })
                    }
                }
            }
            await #expect(throws: CancellationError.self) { try await own.value() }
            #expect(codes.withLock { $0 } == (callsAgain ? [.closed, .closed, .closed] : []))
            try blocking { try expectUntouched(setup, store) }
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `an alteration stops, keeps the steps that are done, and goes on when it is resumed`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        for step in AlterationStep.allCases.dropFirst() {
            let (_, store) = try blocking { try self.store(backEnd) { $0.settings.busyTimeout = 20 } }
            let own = OwnTask()
            own.start {
                _ = try await store.alterSoup("s", indexSpecs: [.string("t")]) { progress in
                    if progress.step == step {
                        own.cancel()
                    }
                }
            }
            await #expect(throws: CancellationError.self, "\(step)") { try await own.value() }
            try blocking {
                if step == .renameOldSoupTable {
                    // No step was done, so the soup is unchanged.
                    #expect(try store.indexSpecs(ofSoup: "s").map(\.path) == ["k", "t"])
                } else {
                    #expect(faultCode { _ = try store.count(.all(), soup: "s") } == .busy, "\(step)")
                    try store.resumeAlterations()
                    #expect(try store.indexSpecs(ofSoup: "s").map(\.path) == ["t"], "\(step)")
                }
                #expect(try store.count(.all(), soup: "s") == 1)
            }
        }
    }

    @Test
    func `a load keeps the transactions that are done`() async throws {
        let (_, store) = try blocking { try self.store(.plain) }
        let file = try TemporaryFolder()
        let lines = (0..<100).map { "{\"k\":\"\($0)\"}" }.joined(separator: "\n")
        try Data(lines.utf8).write(to: URL(filePath: file.file("lines")))
        let own = OwnTask()
        own.start {
            _ = try await store.load(jsonLines: file.file("lines"), into: "s", entriesPerTransaction: 10) { progress in
                if progress.entries == 30 {
                    own.cancel()
                }
            }
        }
        await #expect(throws: CancellationError.self) { try await own.value() }
        #expect(try await store.count(.all(), soup: "s") == 31)
    }

    @Test
    func `pages of a cursor end, and the cursor goes on for others`() async throws {
        let (_, store) = try blocking { try self.store(.plain) }
        try await store.upsert((0..<9).map { "{\"k\":\"\($0)\"}".bytes }, into: "s")
        let cursor = try await store.query(.all(pageSize: 2), soup: "s")
        let own = OwnTask()
        own.start {
            for try await page in cursor.pages where page.index == 1 {
                own.cancel()
            }
        }
        await #expect(throws: CancellationError.self) { try await own.value() }
        #expect(cursor.currentPageIndex == 1)
        #expect(try await cursor.moveToNextPage().index == 2)
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
    func `a change of key stops, and the old key stays`() async throws {
        let (setup, store) = try blocking { try self.store(.cipher) }
        let texts = (0..<20_000).map { "{\"k\":\"\($0)\",\"t\":\"words and more words\"}".bytes }
        try await store.registerSoup(SoupSpec(name: "e", features: [.externalStorage]), indexSpecs: [.string("k")])
        try await store.upsert([#"{"k":"outside"}"#.bytes], into: "e")
        try await store.upsert(texts, into: "s")
        let new = try BackEnds.key(9)
        let copy = setup.path + ".rekey"
        let over = Signal()
        let task = Task { try await store.rekey(to: new) }
        // The copy is being written. A thread of its own looks for it: a task may get no thread before it is gone.
        let watcher = OwnThread {
            let isThere = Waiting.block(unless: { over.isRaised }, until: { File.exists(copy) })
            task.cancel()
            return isThere
        }
        let isCancelled = await isCancellation(task)
        over.raise()
        #expect(try await watcher.value(), "the change of key ended before its copy was seen")
        #expect(isCancelled)
        #expect(!File.exists(setup.path + ".rekey"))
        #expect(Folder.names(in: ElementFiles.root(ofStore: setup.path)).count == 1)
        try blocking {
            #expect(try store.count(.all(), soup: "s") == 20_001)
            try store.remove(matching: .all(), from: "s")
            #expect(try store.retrieve(id: 1, from: "e") != nil)
            try store.close()
            #expect(try setup.open().soupExists("s"))
        }
        // A change that is not cancelled is whole.
        let again = try blocking { try setup.open() }
        try await again.rekey(to: new)
        try blocking { try again.close() }
        #expect(faultCode { _ = try setup.open() } == .wrongKey)
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
    func `a change of key that has replaced the file is completed`() async throws {
        let setup = try StoreFolder(.cipher)
        let own = OwnTask()
        let store = try blocking {
            try setup.open { options in
                // The event comes after the new file has its name, and before the store is opened again.
                options.events = { if $0.operation.rawValue == "rekey" { own.cancel() } }
            }
        }
        try await store.registerSoup("s", indexSpecs: [.string("k")])
        let new = try BackEnds.key(9)
        own.start { try await store.rekey(to: new) }
        try await own.value()
        #expect(try await store.soupExists("s"))
        try blocking { try store.close() }
        #expect(faultCode { _ = try setup.open() } == .wrongKey)
    }

    @Test(arguments: BackEnd.allCases)
    func `a reopening that has begun is completed`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let (_, store) = try blocking { try self.store(backEnd) }
        let own = OwnTask()
        own.start { try await store.reopen { _ in own.cancel() } }
        try await own.value()
        #expect(try await store.soupExists("s"))
    }

    @Test(arguments: BackEnd.allCases)
    func `an export of lines stops`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try blocking { try self.store(backEnd) }
        try await store.upsert((0..<5000).map { "{\"k\":\"\($0)\"}".bytes }, into: "s")
        let path = setup.folder.file("lines")
        let own = OwnTask()
        let most = Atomic(0)
        own.start {
            _ = try await store.exportJSONLines(soup: "s", to: path) { done in
                most.store(done, ordering: .relaxed)
                own.cancel()
            }
        }
        await #expect(throws: CancellationError.self) { try await own.value() }
        #expect(most.load(ordering: .relaxed) < 5001 && !File.exists(path))
        try await store.clearSoup("s")
    }

    @Test(arguments: BackEnd.allCases)
    func `an integrity check and a count that run are interrupted`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let (_, store) = try blocking { try self.store(backEnd) }
        let count = Task { try await store.count(.smart(Self.endless)) }
        try await Task.sleep(for: .milliseconds(50))
        count.cancel()
        #expect(await isCancellation(count))
        let texts = (0..<20_000).map { "{\"k\":\"\($0)\",\"t\":\"words and more words\"}".bytes }
        try await store.upsert(texts, into: "s")
        _ = try await store.integrityCheck()
        let whole = try await ContinuousClock().measure { _ = try await store.integrityCheck() }
        // The machine may be busy with other work, during the measured check too: one of some attempts, each earlier
        // than the one before, meets the check while it runs.
        var wasCancelled = false
        for attempt in 0..<50 where !wasCancelled {
            let check = Task { try await store.integrityCheck() }
            try await Task.sleep(for: whole / (4 + attempt))
            check.cancel()
            wasCancelled = await isCancellation(check)
        }
        #expect(wasCancelled)
        try await store.clearSoup("s")
    }

    @Test
    func `a statement ends within 50 ms of processor time`() async throws {
        let (_, store) = try blocking { try self.store(.plain) }
        // One row, and no other one ever.
        let text =
            "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c where x = 1 or x < 0"
        let own = OwnTask()
        let used = Mutex<Duration?>(nil)
        own.start {
            try await store.reading {
                var thrown: (any Error)?
                let whole = ThreadTime.measure {
                    do {
                        try store.rows(text) { _ in
                            own.cancel()
                            return true
                        }
                    } catch {
                        thrown = error
                    }
                }
                used.withLock { $0 = whole }
                if let thrown {
                    throw thrown
                }
            }
        }
        await #expect(throws: CancellationError.self) { try await own.value() }
        // What came before the row is a fraction of a millisecond.
        let duration = try #require(used.withLock { $0 })
        #expect(duration < .milliseconds(50))
    }

    /// Calls the blocking forms from asynchronous code.
    private func blocking<R>(_ work: () throws -> R) rethrows -> R { try work() }
}

/// A task that code inside it can cancel from any thread.
private final class OwnTask: Sendable {
    private let task = Mutex<Task<Void, any Error>?>(nil)

    func start(_ work: @escaping @Sendable () async throws -> Void) {
        task.withLock { $0 = Task { try await work() } }
    }

    func cancel() { task.withLock { $0 }?.cancel() }
    func value() async throws { try await task.withLock { $0 }?.value }
}
