extension JSONValue {
    /// Returns the value as JSON text in UTF-8. Does not recurse.
    public func bytes(_ style: JSONStyle = .compact) -> [UInt8] {
        var output: [UInt8] = []
        append(to: &output, style)
        return output
    }

    /// Returns the value as JSON text.
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
        while let rest = open.last {
            switch rest {
            case .elements(let elements, let isFirst): goOn(with: elements, isFirst)
            case .members(let members, let isFirst): goOn(with: members, isFirst)
            }
        }
    }

    /// Writes elements up to the first one that is a container of its own, or up to the end.
    private mutating func goOn(with elements: ArraySlice<JSONValue>, _ first: Bool) {
        let depth = open.count
        var isFirst = first
        for index in elements.indices {
            separate(isFirst)
            isFirst = false
            begin(elements[index])
            if open.count > depth {
                open[depth - 1] = .elements(elements[(index + 1)...], isFirst: false)
                return
            }
        }
        open.removeLast()
        close(0x5D)
    }

    /// Writes members up to the first one that is a container of its own, or up to the end.
    private mutating func goOn(with members: ArraySlice<(name: String, value: JSONValue)>, _ first: Bool) {
        let depth = open.count
        var isFirst = first
        for index in members.indices {
            separate(isFirst)
            isFirst = false
            StringEscaping.append(members[index].name, to: &output)
            output.append(0x3A)
            if style == .pretty {
                output.append(0x20)
            }
            begin(members[index].value)
            if open.count > depth {
                open[depth - 1] = .members(members[(index + 1)...], isFirst: false)
                return
            }
        }
        open.removeLast()
        close(0x7D)
    }

    private mutating func begin(_ value: JSONValue) {
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let number):
            if style == .canonical {
                output.append(contentsOf: number.canonicalText)
            } else {
                output.append(contentsOf: number.text.utf8)
            }
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
