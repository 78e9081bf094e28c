import FoundationEssentials

/// Creates a new folder for one test and removes it with everything in it when it is released.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        path = base + "/soup-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    public func file(_ name: String) -> String { path + "/" + name }
}
