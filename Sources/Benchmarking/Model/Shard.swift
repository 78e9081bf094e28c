/// Names a part of a run: the k-th of N, written `k/N`. A run that is not divided is `1/1`.
package struct Shard: Sendable, Hashable, Comparable {
    /// Counted from 1.
    package let number: Int
    package let count: Int

    /// The largest number of parts: each repeats the control and the null row, so with more parts little else would be
    /// measured.
    package static let limit = 1_000

    package static let whole = Shard(trusted: 1, of: 1)

    /// nil unless 1 <= number <= count <= `limit`.
    package init?(_ number: Int, of count: Int) {
        guard (1...Self.limit).contains(count), (1...count).contains(number) else { return nil }
        self.init(trusted: number, of: count)
    }

    /// Reads `k/N`; nil if the text is something else.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(String(decoding: parts[0], as: UTF8.self)),
            let count = Int(String(decoding: parts[1], as: UTF8.self))
        else {
            return nil
        }
        self.init(number, of: count)
    }

    private init(trusted number: Int, of count: Int) {
        self.number = number
        self.count = count
    }

    /// All parts of a run with this number of parts, in order.
    package static func all(of count: Int) -> [Shard] { (1...max(1, count)).compactMap { Shard($0, of: count) } }

    package static func < (a: Shard, b: Shard) -> Bool { (a.count, a.number) < (b.count, b.number) }
}

extension Shard: CustomStringConvertible {
    package var description: String { "\(number)/\(count)" }
}
