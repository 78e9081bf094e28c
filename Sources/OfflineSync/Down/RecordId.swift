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

    /// The forms in which an index may hold it: its text, and, where that is a number, the value as well, which an
    /// index of type json1 has for `1e2` and `100.0`.
    var forms: [String] {
        guard isNumber, let value = Self.valueText(text), !value.utf8.elementsEqual(text.utf8) else { return [text] }
        return [text, value]
    }

    /// Whether a test holds for one of the forms, without an array of them for a text.
    func hasForm(where test: (RecordId) -> Bool) -> Bool {
        isNumber ? forms.contains { test(RecordId($0)) } : test(self)
    }

    /// A number as a column of numbers gives it.
    private static func valueText(_ text: String) -> String? {
        if let integer = Int64(text) {
            return String(integer)
        }
        return Double(text).map(valueText)
    }

    /// The text of a number: without a fraction if it is a whole one.
    static func valueText(_ number: Double) -> String { Int64(exactly: number).map(String.init) ?? String(number) }

    public static func == (a: RecordId, b: RecordId) -> Bool { a.name == b.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
