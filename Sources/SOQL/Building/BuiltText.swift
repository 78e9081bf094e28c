import Soups

/// A text that is put together from parts, each of which has its quotes and parentheses closed.
struct BuiltText {
    private var bytes: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }

    /// Adds a text that this package made.
    mutating func append(_ text: String) { bytes += text.utf8 }

    /// Adds a part after its introduction; neither if the part is empty.
    mutating func append(_ introduction: String, _ text: String) throws(Fault) {
        let part = try Self.part(text)
        guard !part.isEmpty else { return }
        bytes += introduction.utf8
        bytes += part
    }

    /// Adds a number after its introduction; neither if it is below 1.
    mutating func append(_ introduction: String, _ number: Int) {
        guard number > 0 else { return }
        bytes += introduction.utf8
        bytes += String(number).utf8
    }

    func text() throws(Fault) -> String {
        try SOQLText.check(length: bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of a part, without blanks around it.
    static func part(_ text: String) throws(Fault) -> ArraySlice<UInt8> { try SOQLText(text).trimmed.content }

    /// The parts joined; empty if there are none.
    ///
    /// - Throws: `invalidSOQL` for an empty part among others.
    static func list(_ parts: [String], separator: String) throws(Fault) -> String {
        var list = BuiltText()
        for (index, text) in parts.enumerated() {
            let part = try part(text)
            guard !part.isEmpty || parts.count == 1 else {
                throw Fault(.invalidSOQL, "element \(index + 1) of a list of fields is empty")
            }
            if index > 0 {
                list.append(separator)
            }
            list.bytes += part
        }
        return try list.text()
    }
}
