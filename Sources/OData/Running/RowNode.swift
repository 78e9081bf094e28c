package import JSONText

/// A value in a row of a store, read in place.
///
/// `@unchecked Sendable`: a node refers to bytes and to a tape that are not changed while it exists. Without a document
/// its creator keeps both alive, and uses the node on one thread.
package struct RowNode: EntityNode, @unchecked Sendable {
    /// Nil for the root of a document, which is read when it is looked at.
    private let known: JSONNode?
    private let document: RowDocument?

    /// Creates a node of a tape. It must not be used after the tape has read another text.
    package init(_ node: JSONNode) {
        known = node
        document = nil
    }

    private init(_ node: JSONNode, of document: RowDocument?) {
        known = node
        self.document = document
    }

    fileprivate init(rootOf document: RowDocument) {
        known = nil
        self.document = document
    }

    private var node: JSONNode {
        if let known {
            return known
        }
        guard let document else {
            preconditionFailure("a node without a document is known")
        }
        return document.node
    }

    /// The value as written.
    package var bytes: UnsafeRawBufferPointer {
        if known == nil, let document {
            return document.bytes
        }
        return node.rawText
    }

    package var content: EntityContent {
        switch node.kind {
        case .null: .null
        case .true: .boolean(true)
        case .false: .boolean(false)
        case .number: .number(String(decoding: node.rawText, as: UTF8.self))
        case .string: .text(node.string ?? "")
        case .object: .object
        case .array: .array
        }
    }

    package func member(_ name: String) -> RowNode? {
        withBytes(of: name) { name in
            var found: JSONNode?
            for member in node.members where member.name.hasBytes(UnsafeRawBufferPointer(name)) {
                found = member.value
            }
            return found.map { RowNode($0, of: document) }
        }
    }

    /// Whether the value is an array or an object.
    var isPart: Bool { node.kind == .array || node.kind == .object }

    /// Whether a member is a number that is written with these digits.
    func hasNumber(_ digits: [UInt8], as name: String) -> Bool {
        withBytes(of: name) { name in
            var found: JSONNode?
            for member in node.members where member.name.hasBytes(UnsafeRawBufferPointer(name)) {
                found = member.value
            }
            guard let text = found?.numberText, text.count == digits.count else { return false }
            return text.elementsEqual(digits)
        }
    }

    /// Shows the members of an object, with their names as they are written.
    func visitMembers(_ show: (JSONStringText, RowNode) -> Void) {
        for member in node.members {
            show(member.name, RowNode(member.value, of: document))
        }
    }

    package var elements: [RowNode]? {
        node.kind == .array ? node.elements.map { RowNode($0, of: document) } : nil
    }

    package var memberNames: [String]? { node.kind == .object ? node.members.map { $0.name.string } : nil }

    package var members: [(name: String, value: RowNode)]? {
        node.kind == .object ? node.members.map { ($0.name.string, RowNode($0.value, of: document)) } : nil
    }
}

/// A row that stays in memory: its bytes, and its tape once a node of it is looked at. Used by one thread.
package final class RowDocument: @unchecked Sendable {
    private let text: UnsafeMutableRawBufferPointer
    private var tape: JSONTape?

    private static let options = JSONOptions(maximumDepth: 1024)

    /// Copies and reads the text of a row. Throws what reading a tape throws.
    package convenience init(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        self.init(checked: bytes)
        _ = try read()
    }

    /// Copies the text of a row that a tape with these options has read.
    package init(checked bytes: UnsafeRawBufferPointer) {
        text = .allocate(byteCount: bytes.count, alignment: 1)
        text.copyMemory(from: bytes)
    }

    deinit { text.deallocate() }

    /// The row as a node, which keeps the document.
    package var root: RowNode { RowNode(rootOf: self) }

    fileprivate var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(text) }

    fileprivate var node: JSONNode {
        do throws(JSONError) {
            let tape = if let tape { tape } else { try read() }
            return tape.withRoot { $0 }
        } catch {
            preconditionFailure("a text that was checked is not valid JSON: \(error.message)")
        }
    }

    private func read() throws(JSONError) -> JSONTape {
        let tape = JSONTape(options: Self.options, capacity: 32)
        try tape.read(UnsafeRawBufferPointer(text))
        self.tape = tape
        return tape
    }
}
