import JSONText
import Soups

extension JSONPayloadReader {
    /// Reads a member of the outermost object. As soon as a name cannot belong to a feed, the body is read as a whole.
    mutating func readMember() throws(Fault) -> PayloadStep? {
        guard let member = try memberHead() else {
            return try unfinished()
        }
        guard !members.contains(where: { $0.name.hasBytes(of: member.name) }) else {
            throw Fault(.invalidJSON, "duplicate member name", offset: before + position)
        }
        if enters(member) {
            return nil
        }
        if !hasFeed, !isEnvelope(member.name) {
            state = .whole
            return nil
        }
        guard let end = try layOut(at: member.value) else {
            return try unfinished()
        }
        guard members.count < 1_000 else {
            throw Fault(.limitExceeded, "more than 1000 members in the body", offset: before + position)
        }
        try keep(member, tape.withRoot { $0.value })
        let start = position
        position = end
        state = .separator
        if Self.isContext(member.name), let found = members.last?.value.string, context == nil {
            context = found
            try read(context: found, at: before + start)
        }
        return nil
    }

    /// The name of a member, and where its value is.
    private struct MemberHead {
        let name: String
        /// The position of the value.
        let value: Int
        /// Whether the value is an array.
        let isArray: Bool
        /// Whether the value is an object.
        let isObject: Bool
        /// Whether the value is an empty array, or one that begins with an object.
        let holdsObjects: Bool
    }

    /// Reads the name at the position, the colon and the first bytes of the value; `nil` if more bytes are needed.
    private mutating func memberHead() throws(Fault) -> MemberHead? {
        guard buffer[position] == UInt8(ascii: "\"") else {
            throw Fault(.invalidJSON, "expected a member name", offset: before + position)
        }
        guard let nameEnd = try layOut(at: position) else {
            return nil
        }
        let name = tape.withRoot { $0.string ?? "" }
        let colon = afterSpace(nameEnd)
        guard colon < buffer.count else {
            return nil
        }
        guard buffer[colon] == UInt8(ascii: ":") else {
            throw Fault(.invalidJSON, "expected ':' after the member name", offset: before + colon)
        }
        let value = afterSpace(colon + 1)
        let next = afterSpace(value + 1)
        guard value < buffer.count, next < buffer.count || isFinished else {
            return nil
        }
        let isArray = buffer[value] == UInt8(ascii: "[")
        let holdsObjects =
            isArray && next < buffer.count
            && (buffer[next] == UInt8(ascii: "{") || buffer[next] == UInt8(ascii: "]"))
        return MemberHead(
            name: name, value: value, isArray: isArray, isObject: buffer[value] == UInt8(ascii: "{"),
            holdsObjects: holdsObjects)
    }

    /// The position of the first byte that is not white space.
    private func afterSpace(_ start: Int) -> Int {
        var index = start
        while index < buffer.count, Self.isSpace(buffer[index]) {
            index += 1
        }
        return index
    }

    /// Enters the object or array of a member if that is the feed, or the object `d` of verbose JSON.
    private mutating func enters(_ member: MemberHead) -> Bool {
        guard !hasFeed else { return false }
        if !options.readVersion.isV4, member.name == "d", members.isEmpty, !isInsideD,
            member.holdsObjects || member.isObject
        {
            formatOutsideD = builder.format
            builder.format = .verbose
            isInsideD = true
            position = member.value
            if member.isArray {
                isBareArray = true
                enterFeed()
            } else {
                position += 1
                state = .firstMember
            }
            return true
        }
        if member.holdsObjects, isFeed(member.name) {
            position = member.value
            enterFeed()
            return true
        }
        return false
    }

    /// Keeps a member that is not the feed, or refuses it.
    private mutating func keep(_ member: MemberHead, _ value: JSONValue) throws(Fault) {
        let name = member.name
        if hasFeed, !isEnvelope(name) {
            if case .object = value, JSONStreamError.names.contains(where: { $0.hasBytes(of: name) }) {
                throw JSONStreamError.fault(at: before + position)
            }
            throw Fault(
                .invalidJSON, "unexpected member in a feed: only control information may follow the entries",
                offset: before + position)
        }
        if JSONEnvelope.namesURL(name), !value.isNull, value.string == nil {
            // A link that is passed over would make this page the last one.
            throw Fault(.invalidJSON, "a URL must be a string", offset: before + member.value)
        }
        if JSONEnvelope.isMalformedCount(name, value) {
            countFault = Fault(.invalidLiteral, "the count must be a whole number", offset: before + member.value)
        }
        members.append((name, value))
        if let term = JSONEnvelope.term(of: name) {
            feed.annotations.append(.init(term, try annotation(at: before + member.value)))
        }
    }

    /// The value on the tape, which is that of an annotation of the feed.
    private mutating func annotation(at offset: Int) throws(Fault) -> ODataValue {
        do throws(Fault) {
            return try tape.withRoot { (node) throws(Fault) in try builder.untyped(node) }
        } catch {
            throw error.shifted(by: offset)
        }
    }
}
