import JSONText
import Soups

extension JSONPayloadReader {
    /// Performs one step of the state machine; `nil` if another step is needed.
    mutating func advance() throws(Fault) -> PayloadStep? {
        if state == .whole {
            return isFinished ? try readWhole() : .needsInput
        }
        if state == .beginning, position == 0 {
            guard buffer.count >= 3 || isFinished else {
                return .needsInput
            }
            if buffer.starts(with: [0xEF, 0xBB, 0xBF]) {
                position = 3
            }
        }
        skipSpace()
        guard position < buffer.count else {
            if state == .closing, isFinished {
                return try end()
            }
            return try unfinished()
        }
        return try advance(at: buffer[position])
    }

    /// Performs the step that the first byte after white space asks for.
    private mutating func advance(at byte: UInt8) throws(Fault) -> PayloadStep? {
        switch state {
        case .beginning:
            begin(at: byte)
        case .firstMember, .member:
            if byte == UInt8(ascii: "}"), state == .firstMember, members.isEmpty, !hasFeed {
                state = .whole
                return nil
            }
            return try readMember()
        case .separator:
            return try separateMembers(at: byte)
        case .firstElement, .element:
            if byte == UInt8(ascii: "]"), state == .firstElement {
                position += 1
                leaveFeed()
                return nil
            }
            return try readElement()
        case .elementSeparator:
            return try separateElements(at: byte)
        case .closing:
            return try unexpected("unexpected content after the end of the JSON value")
        case .whole, .ended:
            break
        }
        return nil
    }

    private mutating func begin(at byte: UInt8) {
        if byte == UInt8(ascii: "{") {
            position += 1
            state = .firstMember
        } else if byte == UInt8(ascii: "["), builder.format == .verbose {
            isBareArray = true
            enterFeed()
        } else {
            state = .whole
        }
    }

    /// Reads what follows a member.
    private mutating func separateMembers(at byte: UInt8) throws(Fault) -> PayloadStep? {
        guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") else {
            return try unexpected("expected ',' or '}'")
        }
        position += 1
        if let countFault {
            throw countFault
        }
        if byte == UInt8(ascii: ",") {
            state = .member
        } else if isInsideD {
            isInsideD = false
        } else {
            state = hasFeed ? .closing : .whole
        }
        return nil
    }

    /// Reads what follows an element of the feed.
    private mutating func separateElements(at byte: UInt8) throws(Fault) -> PayloadStep? {
        switch byte {
        case UInt8(ascii: ","):
            position += 1
            state = .element
        case UInt8(ascii: "]"):
            position += 1
            leaveFeed()
        default:
            return try unexpected("expected ',' or ']'")
        }
        return nil
    }

    /// Refuses what is at the position: an error of the service that breaks or follows a feed, or anything else.
    mutating func unexpected(_ message: String) throws(Fault) -> PayloadStep {
        guard hasFeed else {
            throw Fault(.invalidJSON, message, offset: before + position)
        }
        switch JSONStreamError.find(in: buffer[position...]) {
        case .error: throw JSONStreamError.fault(at: before + position)
        case .undecided where !isFinished: return try unfinished()
        case .undecided, .other: throw Fault(.invalidJSON, message, offset: before + position)
        }
    }

    private mutating func skipSpace() {
        while position < buffer.count, Self.isSpace(buffer[position]) {
            position += 1
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    /// Asks for more bytes. A large value is not parsed again before another quarter of its bytes has arrived, so that
    /// the total work stays linear.
    mutating func unfinished() throws(Fault) -> PayloadStep {
        guard isFinished else {
            let pending = buffer.count - position
            retryAt = pending < 1_024 ? 0 : buffer.count + pending / 4
            if dropsBytes {
                retryAt -= position
            }
            return .needsInput
        }
        throw Fault(.truncated, "unexpected end of the body", offset: before + buffer.count)
    }

    /// Parses the value at an offset in the buffer onto the tape, and returns the offset of its end; nil if more bytes
    /// are needed.
    mutating func layOut(at start: Int) throws(Fault) -> Int? {
        do {
            let count = try buffer.withUnsafeBufferPointer { (bytes) throws(JSONError) in
                try tape.readFirst(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[start...])))
            }
            // A number at the end of the bytes may continue.
            if start + count == buffer.count, !isFinished {
                return nil
            }
            return start + count
        } catch {
            if error.code == .truncated, !isFinished {
                return nil
            }
            let errorStart = start + error.offset
            if hasFeed, error.code == .syntax, errorStart <= buffer.count {
                switch JSONStreamError.find(in: buffer[errorStart...]) {
                case .error: throw JSONStreamError.fault(at: before + errorStart)
                case .undecided where !isFinished: return nil
                case .undecided, .other: break
                }
            }
            throw Fault(error, depthLimit: PayloadOptions.depthLimit).shifted(by: before + start)
        }
    }
}
