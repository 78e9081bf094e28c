import OData
import TestSupport

/// Draws queries, mostly of conditions that an index may answer.
struct RandomQuery {
    var random: SeededRandom
    let version: ODataVersion
    let theme: RandomValues.Theme

    private mutating func pick<T>(_ items: [T]) -> T { items[Int.random(in: 0..<items.count, using: &random)] }
    private mutating func chance(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &random) == 0 }

    mutating func query() -> String {
        var options = ["$filter=" + Self.encoded(condition(depth: 2))]
        if chance(4) {
            options.append("$orderby=" + path() + (Bool.random(using: &random) ? " desc" : ""))
        }
        if chance(8) {
            options.append("$top=\(Int.random(in: 0..<6, using: &random))")
        }
        if chance(8) {
            options.append("$skip=\(Int.random(in: 0..<4, using: &random))")
        }
        if chance(4) {
            options.append(version.isV4 ? "$count=true" : "$inlinecount=allpages")
        }
        return options.joined(separator: "&")
    }

    private mutating func path() -> String {
        chance(12) ? pick(["_soupEntryId", "_soupLastModifiedDate", "N", "__local__"]) : pick(["A", "A", "B", "D/E"])
    }

    private mutating func condition(depth: Int) -> String {
        guard depth > 0, chance(2) else {
            return simple()
        }
        switch Int.random(in: 0..<7, using: &random) {
        case 5: return "not (\(search()) \(pick(["and", "or"])) \(simple()))"
        case 6: return "1 div (_soupEntryId sub 3) ge 0 and \(condition(depth: depth - 1))"
        case 0: return "not (\(condition(depth: depth - 1)))"
        case 1: return "(\(condition(depth: depth - 1)) or \(condition(depth: depth - 1)))"
        case 2: return "(\(condition(depth: depth - 1)) and \(condition(depth: depth - 1)))"
        default: return "\(condition(depth: depth - 1)) and \(condition(depth: depth - 1))"
        }
    }

    private mutating func simple() -> String {
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<20:
            let (left, operation, right) = (path(), pick(["eq", "ne", "gt", "ge", "lt", "le"]), literal())
            return chance(8) ? "\(right) \(operation) \(left)" : "\(left) \(operation) \(right)"
        case 20..<28: return search()
        case 28..<30: return "\(path()) \(pick(["eq", "ne", "ge"])) null"
        case 30: return "\(path()) eq \(pick(["true", "false"]))"
        case 31: return pick(["A", "B", "not A", "not B"])
        case 32..<36: return version == .v401 ? list() : search()
        case 36: return "tolower(\(path())) eq \(text())"
        case 37: return "1 div \(pick(["_soupEntryId", "(_soupEntryId sub 3)"])) ge 0"
        case 38: return version.isV4 ? "X/any(x:x eq \(literal()))" : "\(path()) eq \(path())"
        default: return "length(\(path())) gt 2"
        }
    }

    private mutating func search() -> String {
        let part = chance(6) ? "''" : text()
        guard version.isV4 else {
            return pick([
                "startswith(\(path()),\(part))", "endswith(\(path()),\(part))", "substringof(\(part),\(path()))",
            ])
        }
        return pick(["startswith", "endswith", "contains"]) + "(\(path()),\(part))"
    }

    private mutating func list() -> String {
        var members: [String] = []
        let kind = Int.random(in: 0..<3, using: &random)
        for _ in 0...Int.random(in: 0..<3, using: &random) {
            members.append(kind == 0 ? text() : kind == 1 ? number() : literal())
        }
        if chance(4) {
            members.append("null")
        }
        return "\(path()) in (\(members.joined(separator: ",")))"
    }

    private mutating func text() -> String {
        let whole = pick(RandomValues.texts(chance(2) ? theme : .everything))
        let part = chance(3) ? String(whole.unicodeScalars.prefix(2)) : whole
        return "'" + part.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    private mutating func number() -> String {
        let text = pick(RandomValues.numbers(theme))
        let digits = text.utf8.count { $0 &- 0x30 < 10 }
        let hasExponent = text.contains("e")
        guard digits <= 36 || hasExponent, !text.contains("400") else {
            return "5"
        }
        guard !version.isV4 else {
            // With an exponent a literal is a double.
            return !hasExponent && digits < 18 && !text.contains(".") && chance(6) ? text + "e0" : text
        }
        if hasExponent || chance(8) && digits < 18 {
            return text + "d"
        }
        return text.contains(".") || digits > 18 ? text + "M" : chance(2) && digits < 10 ? text : text + "L"
    }

    private mutating func literal() -> String {
        switch theme {
        case .everything: return literal(ofKind: Int.random(in: 0..<20, using: &random))
        case .guids: return literal(ofKind: chance(2) ? 15 : Int.random(in: 0..<20, using: &random))
        case .dates: return literal(ofKind: chance(2) ? pick([16, 18]) : Int.random(in: 0..<20, using: &random))
        case .times: return literal(ofKind: chance(2) ? 17 : Int.random(in: 0..<20, using: &random))
        case .words: return literal(ofKind: chance(2) ? 8 : Int.random(in: 0..<20, using: &random))
        case .integers: return literal(ofKind: chance(2) ? 0 : Int.random(in: 0..<20, using: &random))
        }
    }

    private mutating func literal(ofKind kind: Int) -> String {
        switch kind {
        case 0..<8: return number()
        case 8..<15: return text()
        case 15:
            let guid = pick(RandomValues.guids)
            return version.isV4 ? guid : "guid'\(guid)'"
        case 16: return version.isV4 ? pick(RandomValues.dates) : "datetime'\(pick(RandomValues.dateTimes))'"
        case 17: return version.isV4 ? pick(RandomValues.times) : "datetime'\(pick(RandomValues.dateTimes))'"
        default:
            let instant = pick(RandomValues.instants)
            return version.isV4 ? instant : "datetimeoffset'\(instant)'"
        }
    }

    /// The text with everything percent-encoded that ends an option or is not ASCII.
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let isPlain = byte < 0x7F && byte > 0x20 && !"%&#+".utf8.contains(byte)
            result += isPlain ? String(UnicodeScalar(byte)) : "%" + hex(byte >> 4) + hex(byte & 15)
        }
        return result
    }

    private static func hex(_ digit: UInt8) -> String { String(digit, radix: 16, uppercase: true) }
}
