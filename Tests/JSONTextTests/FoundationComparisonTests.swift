import Foundation
import JSONText
import TestSupport
import Testing

/// Compares with Foundation's JSONSerialization on random documents: what is accepted, and what the values are.
///
/// Known differences, all of them Foundation's: it takes a comma before a closing bracket; it refuses numbers beyond
/// the range of a double; it takes a byte order mark, and guesses UTF-16 and UTF-32 from zero bytes; it keeps one of
/// two members with canonically equivalent names; its doubles of numbers with many digits are off by a few units in the
/// last place.
///
/// `SOUP_RANDOM_DOCUMENTS` sets how many documents are drawn, `SOUP_RANDOM_SEED` from which seed.
@Suite struct FoundationComparisonTests {
    private static let count = Int(ProcessInfo.processInfo.environment["SOUP_RANDOM_DOCUMENTS"] ?? "") ?? 2_000
    private static let seed =
        UInt64(ProcessInfo.processInfo.environment["SOUP_RANDOM_SEED"] ?? "")
        ?? UInt64.random(in: 0...UInt64(UInt32.max))

    @Test func `accepts the same documents with the same values`() throws {
        print("random documents: \(Self.count), seed \(Self.seed)")
        var documents = RandomDocument(random: SeededRandom(seed: Self.seed))
        var accepted = 0
        for index in 0..<Self.count {
            let text = index % 2 == 0 ? documents.valid() : documents.damaged()
            let theirs = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
            switch (JSONReaders.verdict(of: text), theirs) {
            case (.accepted, let theirs?):
                accepted += 1
                let ours = try JSONValue(parsing: text)
                if !Self.same(ours, theirs) {
                    Issue.record(
                        "seed \(Self.seed), document \(index): values differ: \(String(decoding: text, as: UTF8.self))")
                }
                #expect(try JSONValue(parsing: ours.bytes(.compact)) == ours)
                #expect(try JSONValue(parsing: ours.bytes(.pretty)) == ours)
                #expect(try JSONValue(parsing: ours.bytes(.canonical)) == ours)
            case (.refused, nil): break
            case (.refused(let error), _?):
                if !Self.isTrailingComma(text, error) {
                    Issue.record(
                        "seed \(Self.seed), document \(index): only Foundation accepts \(text.debugText): \(error)")
                }
            case (.accepted, nil):
                if !Self.hasHugeNumber(try JSONValue(parsing: text)) {
                    Issue.record("seed \(Self.seed), document \(index): only Foundation refuses \(text.debugText)")
                }
            }
        }
        #expect(accepted >= Self.count / 2)
    }

    private static func isTrailingComma(_ text: [UInt8], _ error: JSONError) -> Bool {
        guard error.code == .syntax, error.offset < text.count, text[error.offset] == 0x5D || text[error.offset] == 0x7D
        else {
            return false
        }
        return text[..<error.offset].last { $0 > 0x20 } == 0x2C
    }

    private static func hasHugeNumber(_ value: JSONValue) -> Bool {
        switch value {
        case .number(let number): number.double.isInfinite
        case .array(let elements): elements.contains(where: hasHugeNumber)
        case .object(let object): object.members.contains { hasHugeNumber($0.value) }
        default: false
        }
    }

    private static func same(_ ours: JSONValue, _ theirs: Any) -> Bool {
        switch ours {
        case .null: return theirs is NSNull
        case .bool(let value): return isBool(theirs) && (theirs as? Bool) == value
        case .number(let number):
            guard !isBool(theirs), let value = theirs as? NSNumber else { return false }
            return abs(value.doubleValue - number.double) <= 8 * number.double.ulp
        case .string(let text):
            guard let string = theirs as? String else { return false }
            return string.utf8.elementsEqual(text.utf8)
        case .array(let elements):
            guard let array = theirs as? [Any], array.count == elements.count else { return false }
            return zip(elements, array).allSatisfy { same($0, $1) }
        case .object(let object):
            guard let members = theirs as? [String: Any] else { return false }
            // Damage can make two names equal; Foundation then keeps only one of them.
            guard members.count == Set(object.names).count else { return false }
            return object.members.allSatisfy { member in
                guard object.names.count(where: { $0 == member.name }) == 1 else { return true }
                return members[member.name].map { same(member.value, $0) } ?? false
            }
        }
    }

    private static func isBool(_ value: Any) -> Bool {
        guard let number = value as? NSNumber else { return false }
        return String(cString: number.objCType) == "c"
    }
}

extension [UInt8] {
    /// The text with non-ASCII bytes as numbers.
    fileprivate var debugText: String {
        map { $0 >= 0x20 && $0 < 0x7F ? String(UnicodeScalar($0)) : "<\($0)>" }.joined()
    }
}
