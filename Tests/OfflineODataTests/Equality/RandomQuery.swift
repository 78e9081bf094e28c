import OData
import TestSupport

/// Draws queries, mostly of conditions that an index may answer.
struct RandomQuery {
    var random: SeededRandom
    let version: ODataVersion
    /// The members of the documents, and what every row has.
    let members: [RandomMember]
    let others: [RandomMember]

    private var literals: RandomLiteral { RandomLiteral(version: version) }

    private mutating func pick<T>(_ items: [T]) -> T { items[Int.random(in: 0..<items.count, using: &random)] }
    private mutating func chance(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &random) == 0 }

    mutating func query() -> String {
        var options = ["$filter=" + Self.encoded(condition(depth: 2))]
        if chance(4) {
            options.append("$orderby=" + member().path + (Bool.random(using: &random) ? " desc" : ""))
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

    private mutating func member() -> RandomMember { pick(chance(10) ? others : members) }

    /// A member whose value may be where a literal of a kind may be.
    private mutating func member(for kind: RandomLiteral.Kind) -> RandomMember {
        // A few queries ask what cannot be asked.
        guard !chance(24) else { return member() }
        let fitting = members.filter { $0.fits(kind) }
        return pick(fitting.isEmpty || chance(10) ? others.filter { $0.fits(kind) } : fitting)
    }

    private mutating func condition(depth: Int) -> String {
        guard depth > 0, chance(2) else {
            return simple()
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return "not (\(condition(depth: depth - 1)))"
        case 1: return "(\(condition(depth: depth - 1)) or \(condition(depth: depth - 1)))"
        case 2: return "(\(condition(depth: depth - 1)) and \(condition(depth: depth - 1)))"
        case 3:
            // Up to version 3.0 a null on one side is false here.
            let left = chance(2) ? search() : member(for: .flag).path
            return "not (\(left) \(pick(["and", "or"])) \(simple()))"
        case 4: return "1 div (_soupEntryId sub 3) ge 0 and \(condition(depth: depth - 1))"
        default: return "\(condition(depth: depth - 1)) and \(condition(depth: depth - 1))"
        }
    }

    private mutating func simple() -> String {
        switch Int.random(in: 0..<48, using: &random) {
        case 0..<22: return comparison()
        case 22..<30: return search()
        case 30..<33: return "\(member().path) \(pick(["eq", "eq", "ne", "ne", "ge"])) null"
        case 33, 34: return flag()
        case 35..<43: return version == .v401 ? list() : chance(2) ? comparison() : search()
        case 43: return "tolower(\(member(for: .text).path)) eq \(text(member(for: .text)))"
        case 44: return "1 div \(pick(["_soupEntryId", "(_soupEntryId sub 3)"])) ge 0"
        case 45: return version.isV4 ? lambda() : pair()
        case 46: return pair()
        default: return "length(\(member(for: .text).path)) gt 2"
        }
    }

    private mutating func comparison() -> String {
        let member = member()
        let kind = literals.kind(for: member, &random)
        let literal = literals.literal(kind, member.subject, &random)
        let isEquality = (kind == .flag || kind == .guid) && !chance(10)
        let operation = pick(isEquality ? ["eq", "ne"] : ["eq", "ne", "gt", "ge", "lt", "le"])
        return chance(8) ? "\(literal) \(operation) \(member.path)" : "\(member.path) \(operation) \(literal)"
    }

    private mutating func flag() -> String {
        let path = member(for: .flag).path
        return pick([path, "not \(path)", "\(path) eq true", "\(path) eq false"])
    }

    private mutating func lambda() -> String {
        let member = members[Int.random(in: 0..<2, using: &random)]
        let kind = pick(member.subject.literals.filter { $0 != .dateTime })
        return "X/any(x:x eq \(literals.literal(kind, member.subject, &random)))"
    }

    /// A comparison of two members.
    private mutating func pair() -> String {
        let member = member()
        let other = pick(members.filter { $0.fits(member) } + [member])
        return "\(member.path) eq \(other.path)"
    }

    private mutating func search() -> String {
        let member = member(for: .text)
        let part = chance(6) ? "''" : text(member)
        let functions =
            version.isV4 ? ["startswith", "endswith", "contains"] : ["startswith", "endswith", "substringof"]
        let function = pick(functions)
        return function == "substringof" ? "\(function)(\(part),\(member.path))" : "\(function)(\(member.path),\(part))"
    }

    private mutating func list() -> String {
        let member = member()
        let kind = literals.kind(for: member, &random)
        var list: [String] = []
        for _ in 0...Int.random(in: 0..<3, using: &random) {
            let isOther = member.type == nil && chance(6)
            list.append(
                literals.literal(
                    isOther ? literals.kind(for: member, &random) : kind, member.subject, &random))
        }
        if chance(4) {
            list.append("null")
        }
        return "\(member.path) in (\(list.joined(separator: ",")))"
    }

    private mutating func text(_ member: RandomMember) -> String { literals.text(member.subject, &random) }

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
