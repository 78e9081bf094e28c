import Soups

/// The id of a record on the service: a text, or a number as it is written. Compared by its bytes.
public struct RecordId: Sendable, Hashable {
    private let name: ByteKey
    /// Whether the service writes it as a number.
    let isNumber: Bool

    /// Creates an id.
    public init(_ text: String) { self.init(text, isNumber: false) }

    init(_ text: String, isNumber: Bool) {
        name = ByteKey(text)
        self.isNumber = isNumber
    }

    /// The text of the id.
    public var text: String { name.text }

    public static func == (a: RecordId, b: RecordId) -> Bool { a.name == b.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
