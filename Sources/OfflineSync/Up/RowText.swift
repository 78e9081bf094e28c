import JSONText
import LocalChanges
import Soups

/// A stored row as its bytes, with the place of each member: values are sent and kept as they are written.
struct RowText: Sendable {
    let bytes: [UInt8]
    private let members: [Member]
    private let index: [ByteKey: Int]

    private struct Member: Sendable {
        let key: ByteKey
        /// From the quote of the name to the end of the value.
        let whole: Range<Int>
        let value: Range<Int>
    }

    /// - Throws: `corrupt` if the row is no object.
    init(_ bytes: [UInt8]) throws(Fault) {
        self.bytes = bytes
        var members: [Member] = []
        var index: [ByteKey: Int] = [:]
        try Self.reading(bytes[...]) { root in
            for member in root.members {
                let key = ByteKey(member.name.string)
                let value = member.value.range
                index[key] = members.count
                members.append(Member(key: key, whole: member.name.offset - 1..<value.upperBound, value: value))
            }
        }
        self.members = members
        self.index = index
    }

    /// The value of a member as it is written; nil if there is none.
    subscript(name: String) -> ArraySlice<UInt8>? { index[ByteKey(name)].map { bytes[members[$0].value] } }

    /// The value of a member; nil if there is none.
    func value(_ name: String) -> JSONValue? {
        self[name].flatMap { try? JSONValue(parsing: Array($0), options: Self.options) }
    }

    /// Whether a member is true.
    func isTrue(_ name: String) -> Bool { self[name].map { $0.elementsEqual("true".utf8) } ?? false }

    /// The value of a field as it is written: that of the member of this name, or, for a dotted name, what the path leads
    /// to. Nil if there is none.
    func field(_ name: String) -> ArraySlice<UInt8>? {
        if let member = self[name] {
            return member
        }
        let steps = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
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
    var fieldNames: [String] { members.map(\.key.text).filter(ReservedField.isField) }

    /// The row with other values of members; nil takes one out, and new ones come last.
    func replacing(_ changes: [(name: String, value: [UInt8]?)]) -> [UInt8] {
        var values: [ByteKey: [UInt8]?] = [:]
        for (name, value) in changes {
            values[ByteKey(name)] = .some(value)
        }
        var result: [UInt8] = [UInt8(ascii: "{")]
        result.reserveCapacity(bytes.count + 128)
        var written: Set<ByteKey> = []
        for member in members {
            guard let change = values[member.key] else {
                Self.append(bytes[member.whole], to: &result)
                continue
            }
            if let value = change, written.insert(member.key).inserted {
                Self.append(bytes[member.whole.lowerBound..<member.value.lowerBound], value[...], to: &result)
            }
        }
        for (name, value) in changes {
            if let value, written.insert(ByteKey(name)).inserted {
                Self.append(JSONValue.string(name).bytes()[...], [UInt8(ascii: ":")] + value[...], to: &result)
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
        let tape = JSONTape(options: options)
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

    // Entries may be 512 levels deep.
    private static let options = JSONOptions(maximumDepth: 1024)
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
