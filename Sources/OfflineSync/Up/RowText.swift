import JSONText
import LocalChanges
import Soups

/// A stored row as its bytes, with the position of each member: values are sent and kept as they are written.
struct RowText: Sendable {
    let bytes: [UInt8]
    private let members: [Member]
    /// The last member of each name, where there are many; the members of most rows are looked through faster.
    private let index: [ByteKey: Int]

    private static let mostUnindexed = 64

    private struct Member: Sendable {
        /// The name as it is written, without its quotes.
        let name: Range<Int>
        /// The name, if it is written with escapes.
        let decodedName: [UInt8]?
        /// From the quote of the name to the end of the value.
        let whole: Range<Int>
        let value: Range<Int>

        init(_ member: JSONMember) {
            let start = member.name.offset
            name = start..<start + member.name.writtenBytes.count
            decodedName = member.name.isEscaped ? Array(member.name.string.utf8) : nil
            value = member.value.range
            whole = start - 1..<value.upperBound
        }

        func isNamed(_ wanted: UnsafeRawBufferPointer, in row: UnsafeRawBufferPointer) -> Bool {
            if let decodedName {
                return decodedName.elementsEqual(wanted)
            }
            return name.count == wanted.count && row[name].elementsEqual(wanted)
        }
    }

    /// - Throws: `corrupt` if the row is not an object.
    init(_ bytes: [UInt8]) throws(Fault) {
        self.bytes = bytes
        var members: [Member] = []
        var index: [ByteKey: Int] = [:]
        try Self.reading(bytes[...]) { root in
            members.reserveCapacity(32)
            for member in root.members {
                members.append(Member(member))
            }
            guard members.count > Self.mostUnindexed else { return }
            for (number, member) in root.members.enumerated() {
                index[ByteKey(member.name.string)] = number
            }
        }
        self.members = members
        self.index = index
    }

    /// The last member with a name; `nil` if the row has no such member.
    private func member(_ name: String) -> Member? {
        guard index.isEmpty else { return index[ByteKey(name)].map { members[$0] } }
        var name = name
        return name.withUTF8 { wanted in
            bytes.withUnsafeBytes { row in members.last { $0.isNamed(UnsafeRawBufferPointer(wanted), in: row) } }
        }
    }

    /// The value of a member as it is written; `nil` if the row has no such member.
    subscript(name: String) -> ArraySlice<UInt8>? { member(name).map { bytes[$0.value] } }

    /// The value of a member; `nil` if the row has no such member.
    func value(_ name: String) -> JSONValue? {
        guard let text = self[name] else { return nil }
        // Ids and dates are texts without escapes.
        if text.first == UInt8(ascii: "\""), !text.contains(UInt8(ascii: "\\")) {
            return .string(String(decoding: text.dropFirst().dropLast(), as: UTF8.self))
        }
        return try? JSONValue(parsing: Array(text), options: .storedEntry)
    }

    /// Whether a member is true.
    func isTrue(_ name: String) -> Bool { self[name].map { $0.elementsEqual("true".utf8) } ?? false }

    /// The value of a field as it is written: that of the member of this name, or, for a dotted name, what the path
    /// leads to. Nil if there is none.
    func field(_ name: String) -> ArraySlice<UInt8>? {
        if let member = self[name] {
            return member
        }
        let steps = name.dottedNames
        guard steps.count > 1, let outer = self[steps[0]] else { return nil }
        var found: Range<Int>?
        do throws(Fault) {
            try Self.reading(outer) { root in
                var node: JSONNode? = root
                for step in steps.dropFirst() {
                    let key = ByteKey(step)
                    node = node?.members.reduce(nil) { $1.name.has(key) ? $1.value : $0 }
                }
                found = node?.range
            }
        } catch {
            return nil
        }
        return found.map { outer[outer.startIndex + $0.lowerBound..<outer.startIndex + $0.upperBound] }
    }

    /// The names of all members that are fields of the record.
    var fieldNames: [String] {
        members.map { String(decoding: $0.decodedName ?? Array(bytes[$0.name]), as: UTF8.self) }
            .filter(ReservedField.isField)
    }

    /// The row with other values of members; nil takes one out, and new ones come last.
    func replacing(_ changes: [(name: String, value: [UInt8]?)]) -> [UInt8] {
        let names = changes.map { Array($0.name.utf8) }
        var written: [Int] = []
        func isNew(_ number: Int) -> Bool {
            let isNew = !written.contains { names[$0] == names[number] }
            written += isNew ? [number] : []
            return isNew
        }
        var result: [UInt8] = [UInt8(ascii: "{")]
        result.reserveCapacity(bytes.count + 128)
        for member in members {
            let change = bytes.withUnsafeBytes { row in
                names.lastIndex { name in name.withUnsafeBytes { member.isNamed($0, in: row) } }
            }
            guard let change else {
                Self.append(bytes[member.whole], to: &result)
                continue
            }
            if let value = changes[change].value, isNew(change) {
                Self.append(bytes[member.whole.lowerBound..<member.value.lowerBound], value[...], to: &result)
            }
        }
        for (number, change) in changes.enumerated() {
            if let value = change.value, isNew(number) {
                Self.append(JSONValue.string(change.name).bytes()[...], [UInt8(ascii: ":")] + value[...], to: &result)
            }
        }
        result.append(UInt8(ascii: "}"))
        return result
    }

    private static func append(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8> = [], to row: inout [UInt8]) {
        if row.count > 1 {
            row.append(UInt8(ascii: ","))
        }
        row += name
        row += value
    }

    private static func reading(_ bytes: ArraySlice<UInt8>, _ work: (JSONNode) -> Void) throws(Fault) {
        let tape = JSONTape(options: .storedEntry)
        let failure = bytes.withUnsafeBytes { text -> JSONError? in
            do throws(JSONError) {
                try tape.read(text)
                tape.withRoot(work)
                return nil
            } catch {
                return error
            }
        }
        if let failure {
            throw Fault(.corrupt, "a stored entry is not valid JSON: \(failure.message)", offset: failure.offset)
        }
    }
}

extension RowText {
    /// The flags of local changes.
    var flags: LocalFlags {
        var flags = LocalFlags()
        flags.isLocal = isTrue(ReservedField.local)
        flags.isCreated = isTrue(ReservedField.locallyCreated)
        flags.isUpdated = isTrue(ReservedField.locallyUpdated)
        flags.isDeleted = isTrue(ReservedField.locallyDeleted)
        return flags
    }

    /// The id in a member: a text that is neither empty nor local, or a number as it is written.
    func serviceId(_ name: String) -> RecordId? {
        switch value(name) {
        case .string(let text)? where !text.isEmpty && !LocalId.isLocal(text): RecordId(text)
        case .number(let number)?: RecordId(number.text, isNumber: true)
        default: nil
        }
    }

    /// The object as a value.
    var object: JSONObject {
        get throws(Fault) { try SoupRows.object(of: bytes) }
    }
}

extension LocalFlags {
    /// The flags as changes of a row. `__local__` is true if any of them is.
    var changes: [(name: String, value: [UInt8]?)] {
        zip(ReservedField.flags, [isDirty, isCreated, isUpdated, isDeleted]).map { name, isSet in
            (name: name, value: Array((isSet ? "true" : "false").utf8))
        }
    }
}
