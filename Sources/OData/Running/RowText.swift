import JSONText

/// Writes what options made of a row as JSON. Values of the row keep their bytes.
enum RowText {
    static func append(_ node: RowResult, to text: inout [UInt8]) {
        switch node {
        case .data(let data): text.append(contentsOf: data.bytes)
        case .value(let value): text += JSONValue(stored: value).bytes()
        case .list(let elements, _):
            reserve(byteCount(of: elements), in: &text)
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 {
                    text.append(UInt8(ascii: ","))
                }
                append(element, to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let object): append(object, without: [], [], to: &text)
        }
    }

    /// Makes room at once for what follows. It doubles the room at least, so that many calls copy each byte few times.
    private static func reserve(_ count: Int, in text: inout [UInt8]) {
        if text.count + count > text.capacity {
            text.reserveCapacity(max(text.count + count, 2 * text.capacity))
        }
    }

    /// How long the texts of members become at least, of which rows take most.
    static func byteCount(of members: [ResultObject<RowNode>.Member]) -> Int {
        members.reduce(0) { count, member in
            switch member.value {
            case .list(let elements, _): count + member.name.utf8.count + byteCount(of: elements)
            case .data(let data): count + member.name.utf8.count + data.bytes.count
            case .object, .value: count
            }
        }
    }

    /// The length of the values of a row in a list, with their commas.
    private static func byteCount(of elements: [RowResult]) -> Int {
        elements.reduce(0) { count, element in
            guard case .data(let data) = element else { return count }
            return count + data.bytes.count + 1
        }
    }

    /// Writes an object without the members of some names, and with further members.
    static func append(
        _ object: ResultObject<RowNode>, without names: [String], _ further: [ResultObject<RowNode>.Member],
        to text: inout [UInt8]
    ) {
        text.append(UInt8(ascii: "{"))
        let start = text.count
        if object.isWhole, let origin = object.origin {
            append(origin, without: names, to: &text)
        }
        for member in object.members where !names.contains(where: { $0.hasBytes(of: member.name) }) {
            append(member, after: start, to: &text)
        }
        for member in further {
            append(member, after: start, to: &text)
        }
        text.append(UInt8(ascii: "}"))
    }

    /// Writes the members of an object as they are, without those of some names.
    private static func append(_ origin: RowNode, without names: [String], to text: inout [UInt8]) {
        guard origin.hasMember(among: names) else {
            if let members = origin.memberText {
                text.append(contentsOf: members)
            }
            return
        }
        let start = text.count
        origin.visitMembers { name, value in
            guard !names.contains(where: { name.hasBytes(of: $0) }) else { return }
            append(name, value, after: start, to: &text)
        }
    }

    /// Writes a member as it is, of an object whose members begin at an offset.
    private static func append(
        _ name: JSONStringText, _ value: RowNode, after start: Int, to text: inout [UInt8]
    ) {
        begin(after: start, in: &text)
        if name.isEscaped {
            StringEscaping.append(name.string, to: &text)
        } else {
            text.append(UInt8(ascii: "\""))
            text.append(contentsOf: name.writtenBytes)
            text.append(UInt8(ascii: "\""))
        }
        text.append(UInt8(ascii: ":"))
        text.append(contentsOf: value.bytes)
    }

    /// The text of a row with the members of some names alone.
    static func text(of row: RowNode, keeping names: [String]) -> [UInt8] {
        var text = [UInt8(ascii: "{")]
        row.visitMembers { name, value in
            guard names.contains(where: { name.hasBytes(of: $0) }) else { return }
            append(name, value, after: 1, to: &text)
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    private static func append(
        _ member: ResultObject<RowNode>.Member, after start: Int, to text: inout [UInt8]
    ) {
        if case .list(_, let count?) = member.value {
            begin(after: start, in: &text)
            StringEscaping.append(member.name + "@odata.count", to: &text)
            text.append(UInt8(ascii: ":"))
            text += JSONNumber(count).text.utf8
        }
        begin(after: start, in: &text)
        StringEscaping.append(member.name, to: &text)
        text.append(UInt8(ascii: ":"))
        append(member.value, to: &text)
    }

    /// Begins a member of an object whose members begin at an offset.
    private static func begin(after start: Int, in text: inout [UInt8]) {
        if text.count > start {
            text.append(UInt8(ascii: ","))
        }
    }
}

extension JSONStringText {
    /// Whether the string is another one, compared by bytes.
    func hasBytes(of other: String) -> Bool {
        withBytes(of: other) { hasBytes(UnsafeRawBufferPointer($0)) }
    }
}
