import Foundation
import MockService
import OfflineStore
import OfflineSync
import ServiceTransport
import Soups
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Runs that are cancelled, each at another request and by another error of the transport.
@Suite struct StoppedRunTests {
    private static let query: JSONObject = ["type": "soql", "query": "select Name from Account", "maxBatchSize": 200]

    /// Three pages of records.
    private func fill(_ setup: SyncSetup) throws {
        try setup.register("accounts")
        for number in 1...500 {
            try setup.mock.create("Account", ["Name": .string("n\(number)")])
        }
        setup.mock.clock.now += 60_000
    }

    /// What transports throw for a request that was cancelled.
    private enum Ending: CaseIterable {
        case cancellation, cancelled, urlError, noAnswer, notSent

        var error: any Error {
            switch self {
            case .cancellation: CancellationError()
            case .cancelled: TransportFailure.cancelled
            case .urlError: URLError(.cancelled)
            case .noAnswer: TransportFailure.noAnswer("the connection was closed")
            case .notSent: TransportFailure.notSent("it was cancelled before")
            }
        }
    }

    @Test(arguments: Ending.allCases, 1...3)
    private func `a run that is cancelled at a request is stopped, and the next one completes`(
        ending: Ending, number: Int
    ) async throws {
        let setup = try SyncSetup()
        try fill(setup)
        let manager = Mutex<SyncManager?>(nil)
        let mock = setup.mock.transport
        let requests = Atomic(0)
        let made = try setup.manager(
            FunctionTransport { request in
                if requests.add(1, ordering: .relaxed).newValue == number {
                    manager.withLock { $0 }?.cancel(1)
                    throw ending.error
                }
                return try await mock.send(request)
            })
        manager.withLock { $0 = made }
        try await made.createSync(.down, target: Self.query, soup: "accounts", name: "down")
        let stopped = try await made.reSync("down")
        #expect(stopped.status == .stopped && stopped.errorCode == nil)
        #expect(try await setup.store.count(.all(), soup: "accounts") == (number - 1) * 200)
        try await made.reSync("down").requireDone()
        #expect(try await setup.store.count(.all(), soup: "accounts") == 500)
        manager.withLock { $0 = nil }
    }

    @Test func `a cancellation that comes from the transport alone stops the run too`() async throws {
        for error in [CancellationError(), TransportFailure.cancelled, URLError(.cancelled)] as [any Error] {
            let setup = try SyncSetup()
            try fill(setup)
            let manager = try setup.manager(FunctionTransport { _ in throw error })
            let state = try await manager.sync(.down, target: Self.query, soup: "accounts", name: "down")
            #expect(state.status == .stopped && state.error.isEmpty, "\(error)")
            #expect(manager.state == .acceptingSyncs)
        }
    }

    @Test func `a connection that is lost without a cancellation fails the run`() async throws {
        let setup = try SyncSetup()
        try fill(setup)
        let manager = try setup.manager(FunctionTransport { _ in throw URLError(.timedOut) })
        let state = try await manager.sync(.down, target: Self.query, soup: "accounts", name: "down")
        #expect(state.status == .failed && state.errorCode == .noAnswer)
    }

    @Test func `ghosts whose cleaning is cancelled stay`() async throws {
        let setup = try SyncSetup()
        try fill(setup)
        let manager = Mutex<SyncManager?>(nil)
        let isCut = Mutex(false)
        let mock = setup.mock.transport
        let made = try setup.manager(
            FunctionTransport { request in
                if isCut.withLock({ $0 }) {
                    manager.withLock { $0 }?.cancel(1)
                    throw URLError(.cancelled)
                }
                return try await mock.send(request)
            })
        manager.withLock { $0 = made }
        try await made.sync(.down, target: Self.query, soup: "accounts", name: "down").requireDone()
        isCut.withLock { $0 = true }
        #expect(await faultCode { try await made.cleanResyncGhosts("down") } == .syncManagerStopped)
        #expect(try await setup.store.count(.all(), soup: "accounts") == 500)
        manager.withLock { $0 = nil }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a sync that is deleted while it is run again is either run or gone`() async throws {
        let setup = try SyncSetup()
        try setup.register("accounts")
        let manager = try setup.manager()
        var gone = 0
        for round in 0..<100 {
            let sync = try await manager.createSync(.down, target: Self.query, soup: "accounts", name: "down \(round)")
            async let run = faultCode { try await manager.reSync(.id(sync.id)) }
            async let deletion = faultCode { try await manager.deleteSync(.id(sync.id)) }
            let (runCode, deletionCode) = (await run, await deletion)
            #expect(runCode == nil || runCode == .syncNotFound)
            #expect(deletionCode == nil || deletionCode == .syncRunning)
            let isThere = try await manager.status(of: .id(sync.id)) != nil
            #expect(isThere == (deletionCode == .syncRunning), "round \(round)")
            gone += runCode == .syncNotFound ? 1 : 0
            try await manager.deleteSync(.id(sync.id))
        }
        print("a sync was deleted before its run \(gone) times of 100")
    }
}
