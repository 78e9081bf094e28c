extension JSONValue {
    /// The value as JSON text in UTF-8. Does not recurse.
    public func bytes(_ style: JSONStyle = .compact) -> [UInt8] {
        var output: [UInt8] = []
        append(to: &output, style)
        return output
    }

    /// The value as JSON text.
    public func text(_ style: JSONStyle = .compact) -> String { String(decoding: bytes(style), as: UTF8.self) }

    /// Appends the value as JSON text in UTF-8.
    public func append(to output: inout [UInt8], _ style: JSONStyle = .compact) {
        var writer = ValueWriter(style: style)
        swap(&writer.output, &output)
        writer.write(self)
        swap(&writer.output, &output)
    }
}

/// Writes a tree, with a stack of the remaining members and elements of open objects and arrays.
private struct ValueWriter {
    private enum Rest {
        case elements(ArraySlice<JSONValue>, isFirst: Bool)
        case members(ArraySlice<(name: String, value: JSONValue)>, isFirst: Bool)
    }

    let style: JSONStyle
    var output: [UInt8] = []
    private var open: [Rest] = []

    init(style: JSONStyle) { self.style = style }

    mutating func write(_ value: JSONValue) {
        begin(value)
        while let rest = open.popLast() {
            switch rest {
            case .elements(var elements, let isFirst):
                guard let next = elements.popFirst() else {
                    close(0x5D)
                    continue
                }
                open.append(.elements(elements, isFirst: false))
                separate(isFirst)
                begin(next)
            case .members(var members, let isFirst):
                guard let next = members.popFirst() else {
                    close(0x7D)
                    continue
                }
                open.append(.members(members, isFirst: false))
                separate(isFirst)
                StringEscaping.append(next.name, to: &output)
                output.append(0x3A)
                if style == .pretty {
                    output.append(0x20)
                }
                begin(next.value)
            }
        }
    }

    private mutating func begin(_ value: JSONValue) {
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let number):
            output.append(contentsOf: style == .canonical ? number.canonicalText : Array(number.text.utf8))
        case .string(let text): StringEscaping.append(text, to: &output)
        case .array(let elements):
            output.append(0x5B)
            if elements.isEmpty {
                output.append(0x5D)
            } else {
                open.append(.elements(elements[...], isFirst: true))
            }
        case .object(let object):
            output.append(0x7B)
            let members = style == .canonical ? object.sortedByName : object.members
            if members.isEmpty {
                output.append(0x7D)
            } else {
                open.append(.members(members[...], isFirst: true))
            }
        }
    }

    /// Writes a comma unless this is the first item of its container, and a line break in the pretty style.
    private mutating func separate(_ isFirst: Bool) {
        if !isFirst {
            output.append(0x2C)
        }
        breakLine()
    }

    private mutating func close(_ bracket: UInt8) {
        breakLine()
        output.append(bracket)
    }

    private mutating func breakLine() {
        guard style == .pretty else { return }
        output.append(0x0A)
        output.append(contentsOf: repeatElement(0x20, count: 2 * open.count))
    }
}
