/// The keywords that structure a SELECT, and those that are refused.
enum SQLKeyword: String, CaseIterable {
    case select, with, values, from, join, on, using, `where`, group, having, order, limit, window, union, intersect,
        except, `as`, distinct, match
    case inner, left, right, full, outer, cross, natural, indexed, not, and, or, offset, returning

    /// Whether the keyword ends the list of tables.
    var endsTables: Bool {
        switch self {
        case .where, .group, .having, .order, .limit, .window, .union, .intersect, .except, .returning: true
        default: false
        }
    }

    /// Whether the keyword combines the rows of two SELECTs.
    var joinsSelects: Bool { self == .union || self == .intersect || self == .except }

    /// The keyword of these bytes, case-insensitive; nil if they are not a keyword.
    static func spelled(_ bytes: ArraySlice<UInt8>) -> SQLKeyword? {
        guard (2...9).contains(bytes.count), let first = bytes.first else { return nil }
        for keyword in table[Int(first | 0x20) & 31] where matches(bytes, keyword.letters) {
            return keyword.keyword
        }
        return nil
    }

    private static func matches(_ bytes: ArraySlice<UInt8>, _ letters: [UInt8]) -> Bool {
        guard bytes.count == letters.count else { return false }
        var index = bytes.startIndex
        for letter in letters {
            if bytes[index] | 0x20 != letter {
                return false
            }
            index += 1
        }
        return true
    }

    /// The keywords by their first letter, so that most names need only one or two comparisons.
    private static let table: [[(letters: [UInt8], keyword: SQLKeyword)]] = {
        var table = [[(letters: [UInt8], keyword: SQLKeyword)]](repeating: [], count: 32)
        for keyword in allCases {
            let letters = Array(keyword.rawValue.utf8)
            table[Int(letters[0]) & 31].append((letters, keyword))
        }
        return table
    }()
}
