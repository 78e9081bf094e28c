package import Soups

/// A value as a key of `$orderby`: a total order, so that sorting is defined over any data.
///
/// Null and missing values come first, then false and true, NaN, numbers by their exact value, texts by their Unicode
/// scalars, values of declared types (dates, times, guids) by their value, instants whatever their offset, and then
/// everything else as equal. `Comparison.orderForSorting` is not such an order: it calls 5 and "a" equal, "a" and 7
/// too, but not 5 and 7.
package enum SortKey: Sendable {
    case null
    case boolean(Bool)
    case notANumber
    case number(ExactNumber)
    case text(ByteKey)
    case date(EdmDate)
    case dateTime(EdmDateTime)
    case instant(EdmDateTimeOffset)
    case timeOfDay(EdmTimeOfDay)
    case duration(EdmDuration)
    case guid(EdmGuid)
    case other

    init<Node>(_ term: Term<Node>, model: EdmModel?) {
        switch term {
        case .value(let value): self.init(value, model: model)
        case .text(let text): self = .text(ByteKey(text))
        case .node, .list: self = .other
        }
    }

    private init(_ value: ODataValue, model: EdmModel?) {
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .string(let text): self = .text(ByteKey(text))
        case .date(let date): self = .date(date)
        case .dateTime(let date): self = .dateTime(date)
        case .dateTimeOffset(let date): self = .instant(date)
        case .timeOfDay(let time): self = .timeOfDay(time)
        case .duration(let duration), .time(let duration): self = .duration(duration)
        case .guid(let guid): self = .guid(guid)
        case .enumeration(let type, let members):
            let number = Int64(members) ?? type.flatMap { model?.enumValue(of: members, in: $0, isFlags: true) }
            self = number.map { .number(.decimal(EdmDecimal($0))) } ?? .other
        case .double(let value): self = Self.floating(value)
        case .single(let value): self = Self.floating(Double(value))
        default: self = Comparison.decimal(value).map { .number(.decimal($0)) } ?? .other
        }
    }

    private static func floating(_ value: Double) -> SortKey { value.isNaN ? .notANumber : .number(.double(value)) }

    private var rank: Int {
        switch self {
        case .null: 0
        case .boolean: 1
        case .notANumber: 2
        case .number: 3
        case .text: 4
        case .date: 5
        case .dateTime: 6
        case .instant: 7
        case .timeOfDay: 8
        case .duration: 9
        case .guid: 10
        case .other: 11
        }
    }

    /// Compares two keys: the result is negative, zero or positive.
    package static func order(_ a: SortKey, _ b: SortKey) -> Int {
        switch (a, b) {
        case (.boolean(let x), .boolean(let y)): x == y ? 0 : y ? -1 : 1
        case (.number(let x), .number(let y)): ExactNumber.order(x, y)
        case (.text(let x), .text(let y)):
            switch Comparison.order(of: x.text, y.text) {
            case .less: -1
            case .greater: 1
            case .same, .none: 0
            }
        case (.date(let x), .date(let y)): order(x < y, y < x)
        case (.dateTime(let x), .dateTime(let y)): order(x < y, y < x)
        case (.instant(let x), .instant(let y)): order(x < y, y < x)
        case (.timeOfDay(let x), .timeOfDay(let y)): order(x < y, y < x)
        case (.duration(let x), .duration(let y)): order(x < y, y < x)
        case (.guid(let x), .guid(let y)): order((x.high, x.low) < (y.high, y.low), (y.high, y.low) < (x.high, x.low))
        default: a.rank - b.rank
        }
    }

    private static func order(_ isLess: Bool, _ isGreater: Bool) -> Int { isLess ? -1 : isGreater ? 1 : 0 }
}

extension SortKey {
    /// The memory that the key takes, about.
    package var byteCount: Int {
        switch self {
        case .text(let text): 64 + text.text.utf8.count
        default: 64
        }
    }
}
