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

    init(rootOf document: RowDocument) {
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
        // A whole text is an object or an array, which its first byte tells.
        switch known == nil ? bytes.first : nil {
        case UInt8(ascii: "{")?: return .object
        case UInt8(ascii: "[")?: return .array
        default: return knownContent
        }
    }

    private var knownContent: EntityContent {
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

    /// Whether an object has a member with one of some names.
    func hasMember(among names: [String]) -> Bool {
        node.members.contains { member in names.contains { member.name.hasBytes(of: $0) } }
    }

    /// The text between the braces of an object; nil for one without members.
    var memberText: UnsafeRawBufferPointer? {
        node.members.isEmpty ? nil : UnsafeRawBufferPointer(rebasing: node.rawText.dropFirst().dropLast())
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
