import Foundation
import Synchronization

/// A flag that one thread raises and others wait for.
public final class Signal: Sendable {
    private let flag = Atomic(false)

    public init() {}

    public func raise() { flag.store(true, ordering: .releasing) }
    public var isRaised: Bool { flag.load(ordering: .acquiring) }

    /// Blocks the calling thread, which must not be one of the cooperative pool. Returns whether the signal is raised.
    @discardableResult
    public func block(unless hasEnded: () -> Bool = { false }) -> Bool {
        Waiting.block(unless: hasEnded) { isRaised }
    }

    /// Blocks the calling thread for so long at most. Returns whether the signal is raised.
    @discardableResult
    public func block(for time: Duration) -> Bool {
        let end = ContinuousClock.now + time
        return Waiting.block(unless: { .now >= end }, until: { isRaised })
    }

    /// Waits without blocking a thread. Throws `Waiting.GaveUp` if the signal is not raised.
    public func wait(unless hasEnded: () -> Bool = { false }) async throws {
        try await Waiting.suspend(unless: hasEnded) { isRaised }
    }
}

/// A flag that one process raises and others wait for: a file.
public struct FileSignal: Sendable {
    public let path: String

    public init(_ path: String) { self.path = path }

    public func raise() {
        let isRaised = FileManager.default.createFile(atPath: path, contents: nil)
        precondition(isRaised, "cannot create \(path)")
    }

    public var isRaised: Bool { FileManager.default.fileExists(atPath: path) }

    /// Blocks the calling thread. Returns whether the signal is raised; false if the other side has raised `end`
    /// instead.
    @discardableResult
    public func block(unless end: FileSignal? = nil) -> Bool {
        Waiting.block(unless: { end?.isRaised ?? false }, until: { isRaised })
    }
}
