import Synchronization

/// Gives UUIDs as 32 lower-case hexadecimal digits, for local ids and generated keys.
///
/// ```swift
/// let edits = LocalEdits(store, soup: "contacts", uuids: .counting())
/// let row = try edits.create(["Name": "Ada"])
/// // The key is local_00000000000000000000000000000001, so that a test can predict it.
/// ```
public struct UUIDSource: Sendable {
    private let draw: @Sendable () -> (UInt64, UInt64)

    /// Creates a source from a function that returns the upper and the lower half of a UUID. It is called on any
    /// thread.
    public init(_ draw: @escaping @Sendable () -> (UInt64, UInt64)) { self.draw = draw }

    /// Random UUIDs of version 4, from the system's random numbers.
    public static let random = UUIDSource {
        var system = SystemRandomNumberGenerator()
        let upper: UInt64 = system.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let lower: UInt64 = system.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return (upper, lower)
    }

    /// UUIDs that count from a number, so that they are known beforehand.
    public static func counting(from first: UInt64 = 1) -> UUIDSource {
        let counter = UUIDCounter(first)
        return UUIDSource { (0, counter.next()) }
    }

    /// Returns the next UUID.
    public func next() -> String {
        let (upper, lower) = draw()
        return Self.digits(of: upper) + Self.digits(of: lower)
    }

    private static func digits(of number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

private final class UUIDCounter: Sendable {
    private let value: Atomic<UInt64>
    init(_ first: UInt64) { value = Atomic(first) }
    func next() -> UInt64 { value.add(1, ordering: .relaxed).oldValue }
}
