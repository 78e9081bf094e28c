import OData

/// What the text in a cell of a string index says of the value in the row.
enum PlainText {
    /// The text of the value, if it is one: a cell also holds numbers, booleans, objects and arrays as they are
    /// written.
    static func value(_ cell: UnsafeRawBufferPointer) -> CellText {
        isPlain(cell) ? .text(String(decoding: cell, as: UTF8.self)) : .unsure
    }

    /// Whether a cell with this text proves a text: nothing else is written like it.
    static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
        switch text.first ?? 0 {
        case UInt8(ascii: "["), UInt8(ascii: "{"): false
        case UInt8(ascii: "t"): !text.elementsEqual("true".utf8)
        case UInt8(ascii: "f"): !text.elementsEqual("false".utf8)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): !isNumber(text)
        default: true
        }
    }

    /// Whether a text is a number of JSON.
    private static func isNumber(_ text: UnsafeRawBufferPointer) -> Bool {
        var rest = text[...]
        if rest.first == UInt8(ascii: "-") {
            rest.removeFirst()
        }
        // A number has no zero before another digit. Such a text is taken for a number all the same.
        guard passDigits(&rest) else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard passDigits(&rest) else { return false }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
                rest.removeFirst()
            }
            guard passDigits(&rest) else { return false }
        }
        return rest.isEmpty
    }

    /// Passes digits. Returns false if there is none.
    private static func passDigits(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        let before = rest.count
        while let byte = rest.first, byte &- 0x30 < 10 {
            rest.removeFirst()
        }
        return rest.count < before
    }
}
