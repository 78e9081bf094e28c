import JSONText
import LocalChanges
import Soups

/// Reads the top level of one record on a tape: its id, its date, and which members are not saved.
struct RecordForm: Sendable {
    let idField: ByteKey
    let modificationField: ByteKey
    /// A member that holds other records; nil without one.
    let children: ByteKey?
    /// The id that the record gets in place of its own; nil for its own.
    private let given: RecordId?
    /// The member with the id that it gets.
    private let givenMember: [UInt8]

    init(idField: String, modificationField: String, children: String? = nil, id: RecordId? = nil) {
        self.idField = ByteKey(idField)
        self.modificationField = ByteKey(modificationField)
        self.children = children.map { ByteKey($0) }
        given = id
        givenMember =
            id.map { id in
                let member = JSONValue.string(idField).bytes() + [UInt8(ascii: ":")] + JSONValue.string(id.text).bytes()
                return member + [UInt8(ascii: ",")]
            } ?? []
    }

    /// What was found in a record.
    struct Found {
        let record: DownRecord
        let hasUnreadableDate: Bool
        /// The value of the member with other records.
        let children: JSONNode?
    }

    /// Reads a record.
    ///
    /// - Throws: a text that says what is wrong with it.
    func read(_ node: JSONNode) throws(WrongForm) -> Found {
        guard node.kind == .object else { throw WrongForm("a record is not an object") }
        var seen = Seen()
        var drops: [Range<Int>] = []
        var members = 0
        var previousEnd = node.range.lowerBound + 1
        for member in node.members {
            members += 1
            let end = member.value.range.upperBound
            let isDropped = try note(member, in: &seen)
            if isDropped {
                // With the comma before it. If the first member is dropped, the writer removes the comma after it.
                drops.append(previousEnd..<end)
            }
            previousEnd = end
        }
        guard let id = given ?? seen.id else { throw WrongForm("a record has no id") }
        let record = DownRecord(
            range: node.range, id: id, modified: seen.modified, dropped: drops, isEmpty: members == drops.count,
            added: givenMember)
        return Found(record: record, hasUnreadableDate: seen.modified == nil, children: seen.childValue)
    }

    private struct Seen {
        var id: RecordId?
        var modified: Int64?
        var childValue: JSONNode?
        var names: Set<ByteKey> = []
        var hasId = false
        var hasDate = false
        var hasChildren = false
        var hasAttributes = false
    }

    /// Notes a member. Returns whether it is not saved.
    private func note(_ member: JSONMember, in seen: inout Seen) throws(WrongForm) -> Bool {
        let name = member.name
        if name.has(idField) {
            try Self.once(&seen.hasId)
            guard given == nil else { return true }
            seen.id = try Self.id(member.value)
            return false
        }
        if name.has(modificationField) {
            try Self.once(&seen.hasDate)
            seen.modified = member.value.stringText.flatMap(Self.date)
            return false
        }
        if let children, name.has(children) {
            try Self.once(&seen.hasChildren)
            seen.childValue = member.value
            return true
        }
        guard name.isEscaped || name.hasPrefix("_") || name == "attributes" else { return false }
        if name == "attributes" {
            try Self.once(&seen.hasAttributes)
            return false
        }
        let text = name.string
        guard ReservedField.isReserved(text) else { return false }
        guard seen.names.insert(ByteKey(text)).inserted else { throw Self.twice }
        return true
    }

    private static let twice = WrongForm("a record has a member twice")

    private static func once(_ flag: inout Bool) throws(WrongForm) {
        guard !flag else { throw twice }
        flag = true
    }

    /// The id of a record, and nothing else of it.
    ///
    /// - Throws: a text that says what is wrong with it.
    func id(of node: JSONNode) throws(WrongForm) -> RecordId {
        guard node.kind == .object else { throw WrongForm("a record is not an object") }
        var id: RecordId?
        for member in node.members where member.name.has(idField) {
            guard id == nil else { throw Self.twice }
            id = try Self.id(member.value)
        }
        guard let id else { throw WrongForm("a record has no id") }
        return id
    }

    private static func id(_ value: JSONNode) throws(WrongForm) -> RecordId {
        if let text = value.string, !text.isEmpty {
            guard !LocalId.isLocal(text) else { throw WrongForm("a record has a local id") }
            return RecordId(text)
        }
        guard let number = value.numberText else { throw WrongForm("a record has no id") }
        return RecordId(String(decoding: number, as: UTF8.self), isNumber: true)
    }

    private static func date(_ text: JSONStringText) -> Int64? {
        text.isEscaped ? ServiceDate.milliseconds(text.string) : ServiceDate.milliseconds(text.writtenBytes)
    }
}

/// Says what is wrong with an answer, without any value of it.
struct WrongForm: Error {
    let text: String
    /// Whether a limit was exceeded.
    let isLimit: Bool

    init(_ text: String, isLimit: Bool = false) {
        self.text = text
        self.isLimit = isLimit
    }
}

extension JSONStringText {
    /// Whether the decoded text is this one.
    func has(_ key: ByteKey) -> Bool {
        // Most names differ in their length, and reading the key costs more than that.
        guard isEscaped || writtenBytes.count == key.text.utf8.count else { return false }
        var text = key.text
        return text.withUTF8 { hasBytes(UnsafeRawBufferPointer($0)) }
    }
}
