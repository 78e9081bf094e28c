import Dispatch
public import JSONText
public import SQLiteAccess
public import Soups
import Synchronization

/// Runs the calls in this process, on a store with one of the SQLite libraries. Not for concurrent use.
///
/// All its files are in a folder that `close` removes, unless the caller named one.
public final class StoreBackEnd: CallBackEnd {
    public let name: String
    public let capabilities: Set<Capability>
    private let context: CallContext
    private let timeLimit: Int?
    private let queue = DispatchQueue(label: "conformance call")
    /// Whether a call timed out and still runs, so that its store can neither be used nor closed.
    private var isLost = false

    /// - Parameters:
    ///   - folder: The folder to keep the stores in, below `soup-stores`; stores of an earlier run are found again. nil
    ///     for a temporary folder.
    ///   - timeLimit: The time in seconds that a call may take; nil for no limit. A call that takes longer is
    ///     abandoned, and its thread keeps running.
    /// - Throws: `libraryUnavailable`, `inputOutput`.
    public init(
        _ backEnd: BackEnd, settings: ConnectionSettings = ConnectionSettings(), folder: String? = nil,
        timeLimit: Int? = standardTimeLimit
    ) throws(Fault) {
        name = backEnd.rawValue
        context = try WorkFolder.using { () throws(Fault) in
            try CallContext(backEnd, settings: settings, folder: folder)
        }
        capabilities = context.capabilities
        self.timeLimit = timeLimit
    }

    public func reset() throws(CallFailure) { _ = try run("reset", JSONObject()) }

    public func run(_ call: String, _ arguments: JSONObject) throws(CallFailure) -> JSONValue {
        guard let timeLimit else {
            return try Self.run(call, arguments, in: context)
        }
        let outcome = Outcome()
        let context = context
        queue.async {
            do throws(CallFailure) {
                outcome.set(.success(try Self.run(call, arguments, in: context)))
            } catch {
                outcome.set(.failure(error))
            }
        }
        guard let result = outcome.wait(seconds: timeLimit) else {
            isLost = true
            throw .timeout(seconds: timeLimit)
        }
        return try result.get()
    }

    private static func run(
        _ call: String, _ arguments: JSONObject, in context: CallContext
    ) throws(CallFailure) -> JSONValue {
        try WorkFolder.using { () throws(CallFailure) in try context.run(call, arguments) }
    }

    public func close() {
        WorkFolder.using {
            if isLost {
                context.removeFiles()
            } else {
                context.close()
            }
        }
    }
}

/// Passes the result of a call from its thread to the waiting thread.
private final class Outcome: Sendable {
    private let result = Mutex<Result<JSONValue, CallFailure>?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    func set(_ value: Result<JSONValue, CallFailure>) {
        result.withLock { $0 = value }
        semaphore.signal()
    }

    func wait(seconds: Int) -> Result<JSONValue, CallFailure>? {
        guard semaphore.wait(timeout: .now() + .seconds(seconds)) == .success else { return nil }
        return result.withLock { $0 }
    }
}

extension ConformanceRun.Arm {
    /// Creates an arm for one of the back ends of this package.
    public init(store backEnd: BackEnd, settings: ConnectionSettings = ConnectionSettings(), name: String? = nil) {
        self.init(name: name ?? backEnd.rawValue) { () throws(UnavailableBackEnd) in
            do throws(Fault) { return try StoreBackEnd(backEnd, settings: settings) } catch {
                throw UnavailableBackEnd(reason: error.message)
            }
        }
    }
}
