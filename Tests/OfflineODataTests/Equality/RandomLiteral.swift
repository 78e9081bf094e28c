import OData
import TestSupport

/// Draws literals of filters.
struct RandomLiteral {
    enum Kind: CaseIterable, Sendable { case text, number, flag, guid, date, instant, dateTime, time }

    let version: ODataVersion

    /// The kind of a literal that a member may be compared with: mostly one that its subject is about.
    func kind(for member: RandomMember, _ random: inout SeededRandom) -> Kind {
        // A few queries compare what cannot be compared.
        let type = Int.random(in: 0..<24, using: &random) == 0 ? nil : member.type
        let isOwn = Int.random(in: 0..<6, using: &random) > 0
        let fitting = Kind.allCases.filter { isWritable($0) && Self.fits($0, type) }
        let own = member.subject.literals.filter { isWritable($0) && Self.fits($0, type) }
        return (isOwn && !own.isEmpty ? own : fitting).randomElement(using: &random) ?? .text
    }

    /// A literal of a kind: mostly of a value that the subject is about.
    func literal(_ kind: Kind, _ subject: Subject, _ random: inout SeededRandom) -> String {
        switch kind {
        case .text: return text(subject, &random)
        case .number: return number(subject, &random)
        case .flag: return Bool.random(using: &random) ? "true" : "false"
        case .guid: return version.isV4 ? one(of: Self.guids, &random) : "guid'\(one(of: Self.guids, &random))'"
        case .date: return one(of: Self.dates, &random)
        case .instant:
            let instant = one(of: Self.instants, &random)
            return version.isV4 ? instant : "datetimeoffset'\(instant)'"
        case .dateTime: return "datetime'\(one(of: Self.dateTimes, &random))'"
        case .time: return one(of: Self.times, &random)
        }
    }

    /// A literal of a text, or of the beginning or end of one.
    func text(_ subject: Subject, _ random: inout SeededRandom) -> String {
        let isOwn = !subject.texts.isEmpty && Int.random(in: 0..<6, using: &random) > 0
        var text = one(of: isOwn ? subject.texts : RandomValues.texts, &random)
        let length = Int.random(in: 1...2, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(length)))
        case 1: text = String(String.UnicodeScalarView(text.unicodeScalars.suffix(length)))
        default: break
        }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    /// Whether a value of a declared type may be compared with a literal; everything may be where none is declared.
    static func fits(_ kind: Kind, _ type: EdmPrimitiveType?) -> Bool {
        switch type {
        case nil: true
        case .string: kind == .text
        case .boolean: kind == .flag
        case .guid: kind == .guid
        case .date: kind == .date
        case .dateTime: kind == .dateTime
        case .dateTimeOffset: kind == .instant
        case .timeOfDay: kind == .time
        default: kind == .number
        }
    }

    private func isWritable(_ kind: Kind) -> Bool {
        switch kind {
        case .date, .time: version.isV4
        case .dateTime: !version.isV4
        default: true
        }
    }

    private func number(_ subject: Subject, _ random: inout SeededRandom) -> String {
        let isOwn = !subject.numbers.isEmpty && Int.random(in: 0..<6, using: &random) > 0
        let text = one(of: isOwn ? subject.numbers : RandomValues.numbers, &random)
        func chance(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &random) == 0 }
        let digits = text.utf8.count { $0 &- 0x30 < 10 }
        let hasExponent = text.contains("e")
        if version.isV4, chance(30) {
            return ["INF", "-INF", "NaN"].randomElement(using: &random) ?? "INF"
        }
        guard digits <= 36 || hasExponent, !text.contains("400") else {
            return "5"
        }
        guard !version.isV4 else {
            // With an exponent a literal is a double.
            return !hasExponent && digits < 18 && chance(4) ? text + "e0" : text
        }
        if hasExponent || chance(6) && digits < 18 {
            return text + "d"
        }
        if digits < 9, chance(subject == .singles ? 2 : 12) {
            return text + "f"
        }
        return text.contains(".") || digits > 18 ? text + "M" : chance(2) && digits < 10 ? text : text + "L"
    }

    private func one(of texts: [String], _ random: inout SeededRandom) -> String {
        texts.randomElement(using: &random) ?? ""
    }

    private static let dates = [
        "2013-01-01", "2013-01-02", "0001-01-01", "9999-12-31", "2012-12-31", "10000-01-01", "-0044-03-15",
    ]
    private static let instants = [
        "2013-01-01T04:30:00Z", "2012-12-31T23:30:00-05:00", "2013-01-01T04:30:00.5Z", "2013-01-01T00:00:00Z",
        "9999-12-31T23:30:00-05:00", "0001-01-01T00:00:00Z", "2013-01-01T04:29:60Z",
    ]
    private static let dateTimes = [
        "2013-01-01T04:30", "2013-01-01T04:30:00", "2013-01-01T04:30:00.5", "9999-12-31T23:59:59",
        "2013-01-01T00:00:00", "2013-01-01T04:29:60",
    ]
    private static let times = ["13:45:00", "13:44:60", "13:45:01", "00:00:00", "23:59:60", "23:59:00", "13:44:59.5"]
    private static let guids = [
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "3F2504E0-4F89-11D3-9A0C-0305E82C3301",
        "00000000-0000-0000-0000-000000000001",
    ]
}
