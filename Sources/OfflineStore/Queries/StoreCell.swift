public import Soups

/// Holds one value of a row: a value of SQLite, or a whole entry.
public enum StoreCell: Sendable, Hashable {
    /// A value of SQLite.
    case value(SQLValue)
    /// An entry's JSON text.
    case entry([UInt8])
}

// MARK: - Values
extension StoreCell {
    /// Whether it is NULL.
    public var isNull: Bool { self == .value(.null) }

    /// The integer; nil for any other kind.
    public var int64: Int64? {
        if case .value(.integer(let value)) = self {
            value
        } else {
            nil
        }
    }

    /// The number, an integer as the nearest double; nil for any other kind.
    public var double: Double? {
        switch self {
        case .value(.integer(let value)): Double(value)
        case .value(.real(let value)): value
        default: nil
        }
    }

    /// The text, or the text of an entry; nil for any other kind and for text that is not UTF-8.
    public var string: String? {
        switch self {
        case .value(.text(let bytes)), .entry(let bytes): String(validating: bytes, as: UTF8.self)
        default: nil
        }
    }

    /// Whether it is 1; nil for anything but 0 and 1.
    public var bool: Bool? {
        switch self {
        case .value(.integer(0)): false
        case .value(.integer(1)): true
        default: nil
        }
    }

    /// The bytes of a blob, a text or an entry.
    var bytes: [UInt8]? {
        switch self {
        case .value(.text(let bytes)), .value(.blob(let bytes)), .entry(let bytes): bytes
        default: nil
        }
    }

    /// The text of an entry.
    var entry: ArraySlice<UInt8>? {
        if case .entry(let bytes) = self {
            bytes[...]
        } else {
            nil
        }
    }

    /// The kind in words, for messages.
    var kindName: String {
        switch self {
        case .value(.null): "NULL"
        case .value(.integer): "an integer"
        case .value(.real): "a real number"
        case .value(.text): "a text"
        case .value(.blob): "a blob"
        case .entry: "an entry"
        }
    }
}

extension StoreCell: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind, and the length of a text, a blob or an entry: never the value.
    public var description: String { bytes.map { "\(kindName) of \($0.count) bytes" } ?? kindName }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
