import OData
import Soups
import TestSupport

/// A member of random documents.
struct RandomMember: Sendable {
    /// The path in a filter.
    let path: String
    let subject: Subject
    /// What the model declares; nil if it does not, or without a model.
    let type: EdmPrimitiveType?

    /// The path of its index.
    var indexPath: String { path.split(separator: "/").joined(separator: ".") }

    /// Draws the members of the documents of a soup, with an indexable value each.
    static func documents(_ version: ODataVersion, hasModel: Bool, _ random: inout SeededRandom) -> [RandomMember] {
        ["A", "B", "C", "D/E"].map { path in
            let subject = Subject.drawn.randomElement(using: &random) ?? .words
            let isDeclared = hasModel && Int.random(in: 0..<6, using: &random) > 0
            let types = Int.random(in: 0..<10, using: &random) == 0 ? Self.types(version) : subject.types(version)
            return RandomMember(
                path: path, subject: subject, type: isDeclared ? types.randomElement(using: &random) : nil)
        }
    }

    private static func types(_ version: ODataVersion) -> [EdmPrimitiveType] {
        [.int32, .int64, .decimal, .double, .single, .string, .boolean, .guid, .byte, .dateTimeOffset]
            + (version.isV4 ? [.date, .timeOfDay] : [.dateTime])
    }

    /// What every row has, and a text without an index.
    static func others(hasModel: Bool) -> [RandomMember] {
        [
            RandomMember(path: "_soupEntryId", subject: .ids, type: hasModel ? .int64 : nil),
            RandomMember(path: "_soupLastModifiedDate", subject: .ids, type: hasModel ? .int64 : nil),
            RandomMember(path: "N", subject: .words, type: hasModel ? .string : nil),
            RandomMember(path: "__local__", subject: .flags, type: hasModel ? .boolean : nil),
        ]
    }

    /// Whether its value may be where a literal of a kind may be.
    func fits(_ kind: RandomLiteral.Kind) -> Bool { RandomLiteral.fits(kind, type) }

    /// Whether it may be compared with another member.
    func fits(_ other: RandomMember) -> Bool { type == nil || other.type == nil || type == other.type }
}
