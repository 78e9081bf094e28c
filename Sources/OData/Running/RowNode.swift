package import JSONText

/// A value in a row of a store, read in place.
///
/// `@unchecked Sendable`: a node refers to bytes and to a tape that are not changed while it exists. Without a document
/// its creator keeps both alive, and uses the node on one thread.
package struct RowNode: EntityNode, @unchecked Sendable {
    private let node: JSONNode
    private let document: RowDocument?

    /// Creates a node of a tape. It must not be used after the tape has read another text.
    package init(_ node: JSONNode) {
        self.node = node
        document = nil
    }

    fileprivate init(_ node: JSONNode, of document: RowDocument?) {
        self.node = node
        self.document = document
    }

    /// The value as written.
    package var bytes: UnsafeRawBufferPointer { node.rawText }

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

    package var elements: [RowNode]? {
        node.kind == .array ? node.elements.map { RowNode($0, of: document) } : nil
    }

    package var memberNames: [String]? { node.kind == .object ? node.members.map { $0.name.string } : nil }

    package var members: [(name: String, value: RowNode)]? {
        node.kind == .object ? node.members.map { ($0.name.string, RowNode($0.value, of: document)) } : nil
    }
}

/// A row that stays in memory: its bytes and its tape. It never changes.
package final class RowDocument: @unchecked Sendable {
    private let text: UnsafeMutableRawBufferPointer
    private let tape: JSONTape

    /// Copies and reads the text of a row. Throws what reading a tape throws.
    package init(_ bytes: some Collection<UInt8>) throws(JSONError) {
        text = .allocate(byteCount: bytes.count, alignment: 1)
        text.copyBytes(from: bytes)
        tape = JSONTape(options: JSONOptions(maximumDepth: 1024), capacity: 32)
        try tape.read(UnsafeRawBufferPointer(text))
    }

    deinit { text.deallocate() }

    /// The row as a node, which keeps the document.
    package var root: RowNode { tape.withRoot { RowNode($0, of: self) } }
}
