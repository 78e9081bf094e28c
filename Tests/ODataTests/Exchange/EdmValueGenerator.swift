import OData
import TestSupport

/// Draws random values of every Edm type, near the ends of their ranges more often than elsewhere.
struct EdmValueGenerator {
    var random: SeededRandom
    /// Whether dates have milliseconds at most, as in verbose JSON.
    let hasMilliseconds: Bool
    /// Whether texts have only characters that XML allows.
    let isXML: Bool

    init(seed: UInt64, hasMilliseconds: Bool = false, isXML: Bool = false) {
        random = SeededRandom(seed: seed)
        self.hasMilliseconds = hasMilliseconds
        self.isXML = isXML
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0...values.count - 1)] }

    /// A value of a primitive type that the version has.
    mutating func value(_ type: EdmPrimitiveType) throws -> ODataValue {
        switch type {
        case .boolean: .boolean(.random(using: &random))
        case .byte: .byte(UInt8.random(in: 0...255, using: &random))
        case .sbyte: .sbyte(Int8.random(in: -128...127, using: &random))
        case .int16: .int16(pick([.min, .max, 0, Int16.random(in: .min ... .max, using: &random)]))
        case .int32: .int32(pick([.min, .max, -1, Int32.random(in: .min ... .max, using: &random)]))
        case .int64: .int64(pick([.min, .max, 1 << 53 + 1, Int64.random(in: .min ... .max, using: &random)]))
        case .double: .double(pick([.infinity, -0.0, .leastNonzeroMagnitude, double(), double(), double(), double()]))
        case .single: .single(pick([-.infinity, .nan, .greatestFiniteMagnitude, Float(double()), 0.1, 1.5]))
        case .string: .string(text())
        case .binary: .binary((0..<number(0...9)).map { _ in UInt8.random(in: 0...255, using: &random) })
        case .geography, .geometry: .spatial(type, spatial(pick(shapes)))
        default:
            try type.isSpatial
                ? .spatial(type, spatial(shape(of: type))) : ODataValue(parsing: text(of: type), as: type)
        }
    }

    private mutating func double() -> Double {
        let value = Double(bitPattern: random.next())
        return value.isFinite ? value : 1 / 3
    }

    /// Texts with markup, quotes, line ends, blanks at the ends and characters of every plane.
    private mutating func text() -> String {
        let plain = [
            "a", " ", "\t", "\n", "\r", "<", "&", ">", "\"", "'", "/", "\\", "ä", "e\u{301}", "\u{1F600}", "]]>",
        ]
        let pieces = isXML ? plain : plain + ["\u{0}", "\u{1F}", "\u{FFFF}", "\u{7F}"]
        return (0..<number(0...8)).map { _ in pick(pieces) }.joined()
    }

    /// The canonical text of other types.
    private mutating func text(of type: EdmPrimitiveType) -> String {
        switch type {
        case .decimal: return pick(["", "-"]) + digits(1...30) + pick(["", "." + digits(1...6, first: "0")])
        case .guid:
            let hex = (0..<32).map { _ in pick(Array("0123456789abcdef")) }
            return String(hex[..<8]) + "-" + String(hex[8..<12]) + "-" + String(hex[12..<16]) + "-"
                + String(hex[16..<20]) + "-" + String(hex[20...])
        case .date: return date(hasLongYears: true)
        case .timeOfDay: return time()
        case .dateTime: return date() + "T" + time()
        case .dateTimeOffset: return date() + "T" + time() + zone()
        case .duration, .time:
            return pick(["", type == .duration ? "-" : ""]) + "P"
                + "T\(number(1...23))H\(number(1...59))M\(number(1...59))S"
        default: return ""
        }
    }

    private mutating func digits(_ count: ClosedRange<Int>, first: String = "1") -> String {
        first + (1..<number(count)).map { _ in String(number(0...9)) }.joined()
    }

    private func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

    private mutating func date(hasLongYears: Bool = false) -> String {
        let year = pick(hasLongYears ? ["0001", "9999", "2024", "-0044", "12345"] : ["0002", "9998", "1969", "2024"])
        return year + "-" + two(number(1...12)) + "-" + two(number(1...28))
    }

    private mutating func time() -> String {
        let fraction = pick(["", "." + two(number(1...99)) + "1", hasMilliseconds ? "" : ".000000000001"])
        return two(number(0...23)) + ":" + two(number(0...59)) + ":" + two(number(0...59)) + fraction
    }

    private mutating func zone() -> String {
        pick(["Z", pick(["+", "-"]) + two(number(0...13)) + ":" + two(number(1...59))])
    }
}

/// Spatial values.
extension EdmValueGenerator {
    private var shapes: [String] {
        ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "Collection"]
    }

    private func shape(of type: EdmPrimitiveType) -> String {
        shapes.first { type.rawValue.hasSuffix($0) && !type.rawValue.hasSuffix("Multi" + $0) } ?? "Point"
    }

    private mutating func spatial(_ shape: String) -> String {
        "SRID=\(pick(["0", "4326", "12345"]));" + text(of: shape)
    }

    private mutating func position() -> String { "\(number(-180...180)).\(number(1...9)) \(number(-90...90)).5" }

    private mutating func line() -> String {
        "(" + (0..<number(2...4)).map { _ in position() }.joined(separator: ",") + ")"
    }

    private mutating func polygon() -> String {
        let start = position()
        return "((" + [start, position(), position(), start].joined(separator: ",") + "))"
    }

    private mutating func text(of shape: String) -> String {
        switch shape {
        case "Point": return "Point(" + position() + ")"
        case "LineString": return "LineString" + line()
        case "Polygon": return "Polygon" + polygon()
        case "MultiPoint":
            return "MultiPoint(" + (0..<number(1...3)).map { _ in "(" + position() + ")" }.joined(separator: ",") + ")"
        case "MultiLineString":
            return "MultiLineString(" + (0..<number(1...3)).map { _ in line() }.joined(separator: ",") + ")"
        case "MultiPolygon":
            return "MultiPolygon(" + (0..<number(1...3)).map { _ in polygon() }.joined(separator: ",") + ")"
        default: return "Collection(Point(" + position() + "),LineString" + line() + ")"
        }
    }
}
