import JSONText

/// The text of one value while it is encoded. Values inside it that are still being filled have nodes of their own: the
/// text of such a node belongs where its parent was when it was made.
final class EncodingNode {
    enum Kind {
        /// Nothing was encoded yet.
        case undecided
        /// A whole value.
        case value
        case object, array
    }

    var kind = Kind.undecided
    /// The text without the outer brackets.
    var bytes: [UInt8] = []
    /// The nodes inside, each with its offset in `bytes`, in order.
    var children: [(at: Int, node: EncodingNode)] = []
    /// The number of members or elements.
    var count = 0
    /// How deep it is inside the root.
    var depth = 0
    /// Where the last member or element begins.
    private var last = (bytes: 0, children: 0)

    func reset() {
        kind = .undecided
        bytes.removeAll(keepingCapacity: true)
        children.removeAll(keepingCapacity: true)
        count = 0
        depth = 0
    }

    /// Appends the whole text, with that of the nodes inside. The depth is limited where nodes are made.
    func append(to output: inout [UInt8]) {
        switch kind {
        // As JSONEncoder: a value that encodes nothing is an empty object.
        case .undecided: output += "{}".utf8
        case .value: appendContents(to: &output)
        case .object:
            output.append(UInt8(ascii: "{"))
            appendContents(to: &output)
            output.append(UInt8(ascii: "}"))
        case .array:
            output.append(UInt8(ascii: "["))
            appendContents(to: &output)
            output.append(UInt8(ascii: "]"))
        }
    }

    private func appendContents(to output: inout [UInt8]) {
        guard !children.isEmpty else {
            output += bytes
            return
        }
        var position = 0
        for child in children {
            output += bytes[position..<child.at]
            child.node.append(to: &output)
            position = child.at
        }
        output += bytes[position...]
    }

    // MARK: - Contents

    func beginElement() {
        last = (bytes.count, children.count)
        if count > 0 {
            bytes.append(UInt8(ascii: ","))
        }
        count += 1
    }

    func beginMember(_ name: String) {
        beginElement()
        StringEscaping.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Takes back the member or element that was begun last, because its value cannot be encoded. A type may catch the
    /// error and go on with others.
    func takeBack() {
        rewind(to: (kind, last.bytes, last.children, count - 1))
    }

    /// What the node has so far, so that a value which cannot be encoded is taken back.
    var mark: (kind: Kind, bytes: Int, children: Int, count: Int) { (kind, bytes.count, children.count, count) }

    func rewind(to mark: (kind: Kind, bytes: Int, children: Int, count: Int)) {
        bytes.removeSubrange(mark.bytes...)
        children.removeSubrange(mark.children...)
        (kind, count) = (mark.kind, mark.count)
    }

    func write(word text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    func write(_ value: Bool) { write(word: value ? "true" : "false") }

    func write(_ value: String) { StringEscaping.append(value, to: &bytes) }

    func write(_ value: some FixedWidthInteger) {
        if let short = Int64(exactly: value) {
            DecimalWriter.append(short, to: &bytes)
        } else {
            bytes += String(value).utf8
        }
    }

    /// Writes the shortest text that reads back equal; a whole number without its fraction.
    func write(shortest text: String) {
        var text = text
        text.withUTF8 { digits in
            let isWhole =
                digits.count > 2 && digits[digits.count - 2] == UInt8(ascii: ".")
                && digits[digits.count - 1] == UInt8(ascii: "0")
            bytes += isWhole ? digits[..<(digits.count - 2)] : digits[...]
        }
    }
}
