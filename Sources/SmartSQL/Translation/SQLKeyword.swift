/// The words that structure a SELECT, and those that are refused.
enum SQLKeyword: String, CaseIterable {
    case select, with, values, from, join, on, using, `where`, group, having, order, limit, window, union, intersect,
        except, `as`, distinct, match
    case inner, left, right, full, outer, cross, natural, indexed, not, and, or, offset, returning

    /// Ends the list of tables.
    var endsTables: Bool {
        switch self {
        case .where, .group, .having, .order, .limit, .window, .union, .intersect, .except, .returning: true
        default: false
        }
    }

    /// The keyword that these bytes spell in any case.
    static func spelled(_ bytes: ArraySlice<UInt8>) -> SQLKeyword? {
        guard (2...9).contains(bytes.count), let first = bytes.first else { return nil }
        for keyword in table[Int(first | 0x20) & 31] where matches(bytes, keyword.letters) {
            return keyword.keyword
        }
        return nil
    }

    private static func matches(_ bytes: ArraySlice<UInt8>, _ letters: [UInt8]) -> Bool {
        guard bytes.count == letters.count else { return false }
        var place = bytes.startIndex
        for letter in letters {
            if bytes[place] | 0x20 != letter {
                return false
            }
            place += 1
        }
        return true
    }

    /// By the first letter, so that a name that is no keyword costs one or two looks.
    private static let table: [[(letters: [UInt8], keyword: SQLKeyword)]] = {
        var table = [[(letters: [UInt8], keyword: SQLKeyword)]](repeating: [], count: 32)
        for keyword in allCases {
            let letters = Array(keyword.rawValue.utf8)
            table[Int(letters[0]) & 31].append((letters, keyword))
        }
        return table
    }()
}
