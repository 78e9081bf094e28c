/// Remembers how much memory this process held at one moment, and how much its peak has exceeded that since.
package struct ProcessMemory: Sendable {
    private let start: Int?

    package init() { start = Self.bytes("VmRSS") }

    /// The peak of the resident memory since the process began, minus what it held at the start (bytes); nil if the
    /// system does not report it.
    package var growth: Int? {
        guard let start, let peak = Self.bytes("VmHWM") else { return nil }
        return max(0, peak - start)
    }

    /// A field of /proc/self/status, which counts in units of 1,024 bytes.
    private static func bytes(_ field: String) -> Int? {
        SystemFile.field(field, in: "/proc/self/status").flatMap { Int($0.prefix { $0.isNumber }) }.map { $0 * 1_024 }
    }
}
