import JSONText
import OfflineStore
import SQLiteAccess
import Soups

/// What the child does to a key-value store while it may be killed. `prepare` has filled the store before.
enum ValueTask: String, CaseIterable {
    /// A short value in place of a short one, of one in pieces, and the other way round.
    case setValue, shortenValue, lengthenValue
    /// From a source, in place of a value in pieces.
    case setFromSource
    case removeValue, removeAllValues
    /// Several calls in one transaction.
    case valueTransaction
    case rekeyValues

    /// A value of a number of bytes, all alike.
    static func value(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }

    /// Fills ten short values and two in pieces.
    static func prepare(_ values: KeyValueStore) throws {
        for number in 1...10 {
            try values.set(value(1, 100 * number), for: "short \(number)")
        }
        try values.set(value(2, 200_000), for: "long")
        try values.set(value(3, 70_000), for: "other")
    }

    /// Everything that a caller can read from a store.
    static func state(of values: KeyValueStore) throws -> [String] {
        try values.keys().map { key in
            let bytes = try values.data(for: key) ?? []
            return "\(key): \(bytes.count) of \(Set(bytes).sorted())"
        }
    }

    var changesKey: Bool { self == .rekeyValues }

    func run(_ values: KeyValueStore, newKey: Key) throws {
        switch self {
        case .setValue: try values.set(Self.value(9, 300), for: "short 1")
        case .shortenValue: try values.set(Self.value(9, 50), for: "long")
        case .lengthenValue: try values.set(Self.value(9, 150_000), for: "short 2")
        case .setFromSource: try values.set(from: ByteSource(Self.value(9, 180_000)), for: "long")
        case .removeValue: try values.remove("long")
        case .removeAllValues: try values.removeAll()
        case .valueTransaction:
            try values.transaction {
                try values.set(Self.value(9, 80_000), for: "long")
                try values.remove("short 3")
                try values.set(Self.value(9, 10), for: "new")
            }
        case .rekeyValues: try values.rekey(to: newKey)
        }
    }
}
