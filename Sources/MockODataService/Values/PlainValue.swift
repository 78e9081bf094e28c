import JSONText

/// A value as the mock service compares it.
enum PlainValue: Sendable {
    case null
    case bool(Bool)
    case number(PlainNumber)
    case text(String)
    /// Milliseconds since 1970.
    case instant(Int64)

    /// The value of a property: by its declared type, or as it is.
    init(_ value: JSONValue?, type: String?) {
        switch value {
        case .bool(let bool): self = .bool(bool)
        case .number(let number): self = PlainNumber(number.text).map(PlainValue.number) ?? .null
        case .string(let text):
            switch type {
            case "Edm.DateTimeOffset", "Edm.DateTime", "Edm.Date":
                self = PlainDate.milliseconds(text).map(PlainValue.instant) ?? .text(text)
            case "Edm.Guid": self = .text(text.lowercased())
            default: self = .text(text)
            }
        case nil, .null, .object, .array: self = .null
        }
    }

    /// Less, equal or greater; nil for values that cannot be compared.
    func compared(to other: PlainValue) -> Int? {
        switch (self, other) {
        case (.bool(let a), .bool(let b)): return a == b ? 0 : a ? 1 : -1
        case (.number(let a), .number(let b)): return a.compared(to: b)
        case (.instant(let a), .instant(let b)): return a < b ? -1 : a == b ? 0 : 1
        case (.text(let a), .text(let b)): return Self.order(a, b)
        // A date that was read without a type.
        case (.text(let a), .instant(let b)):
            return PlainDate.milliseconds(a).map { $0 < b ? -1 : $0 == b ? 0 : 1 }
        case (.instant, .text): return other.compared(to: self).map { -$0 }
        default: return nil
        }
    }

    private static func order(_ a: String, _ b: String) -> Int {
        if a.utf8.elementsEqual(b.utf8) {
            return 0
        }
        return a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
    }

    var isNull: Bool {
        if case .null = self {
            true
        } else {
            false
        }
    }

    /// Nulls first, then what cannot be compared as equal: the order of `$orderby`.
    func isBefore(_ other: PlainValue) -> Bool {
        if isNull || other.isNull {
            return isNull && !other.isNull
        }
        return (compared(to: other) ?? 0) < 0
    }
}
