import JSONText

/// Writes what options made of a row as JSON. Values of the row keep their bytes.
enum RowText {
    static func append(_ node: RowResult, to text: inout [UInt8]) {
        switch node {
        case .data(let data): text.append(contentsOf: data.bytes)
        case .value(let value): text += JSONValue(stored: value).bytes()
        case .list(let elements, _):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 {
                    text.append(UInt8(ascii: ","))
                }
                append(element, to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let object):
            text.append(UInt8(ascii: "{"))
            var isFirst = true
            for member in object.allMembers {
                if case .list(_, let count?) = member.value {
                    append(member.name + "@odata.count", isFirst, to: &text)
                    isFirst = false
                    text += JSONNumber(count).text.utf8
                }
                append(member.name, isFirst, to: &text)
                isFirst = false
                append(member.value, to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ name: String, _ isFirst: Bool, to text: inout [UInt8]) {
        if !isFirst {
            text.append(UInt8(ascii: ","))
        }
        text += JSONValue.string(name).bytes()
        text.append(UInt8(ascii: ":"))
    }
}
