import Soups

/// The key of a row for a relation. Two keys meet when all their parts are of one kind (texts, numbers, booleans) and
/// equal.
package struct RowKey: Hashable, Sendable {
    private let keys: [EqualityKey]

    /// A part of a key, for a search by an index.
    package enum Part: Sendable {
        case text(String)
        /// A number that is an integer of 64 bits.
        case integer(Int64)
        case number
        case boolean
    }

    /// Reads the key of a row at paths of names; nil if a part is null, missing, an array or an object: that meets
    /// nothing.
    package init?(of row: RowResult, at paths: [[String]]) {
        var keys: [EqualityKey] = []
        for path in paths {
            var node: RowResult? = row
            for name in path {
                node = node?.member(name)
            }
            guard let key = node.flatMap(Self.part) else {
                return nil
            }
            keys.append(key)
        }
        self.keys = keys
    }

    /// The key of one part that is a text.
    package init(text: String) { keys = [.text(ByteKey(text))] }

    private static func part(_ node: RowResult) -> EqualityKey? {
        switch node.content {
        case .null, .array, .object: return nil
        case .text(let text): return .text(ByteKey(text))
        default:
            // A scalar is not too deep.
            guard case .scalar(let key)? = try? GroupKey(Term(node, declared: .unknown)), key != .null else {
                return nil
            }
            return key
        }
    }

    /// The parts in the order of the paths.
    package var parts: [Part] {
        keys.map { key in
            switch key {
            case .text(let text): .text(text.text)
            case .boolean: .boolean
            case .number(let number): number.int64.map { .integer($0) } ?? .number
            default: .number
            }
        }
    }
}
