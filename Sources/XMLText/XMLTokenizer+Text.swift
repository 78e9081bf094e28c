extension XMLTokenizer {
    /// Reads the text of the element that just started, together with its end tag. The text is valid until the next
    /// call of `next` or `append`. Returns nil without changing anything if the element contains anything else, if the
    /// text must be rewritten, or if the end tag has not arrived.
    public mutating func readLeaf() -> UnsafeBufferPointer<UInt8>? {
        let start = window.position
        if endFollows {
            endFollows = false
            _ = close()
            return UnsafeBufferPointer(start: UnsafePointer(window.bytes + start), count: 0)
        }
        var position = start
        while true {
            position = plainEnd(from: position, stop: UInt8(ascii: "]"))
            let byte = window.bytes[position]
            if byte == UInt8(ascii: "<") {
                break
            }
            if byte >= 0x80 {
                guard
                    case .scalar(_, let count) = UTF8Sequence.read(
                        window.bytes + position, available: window.end - position)
                else {
                    return nil
                }
                position += count
            } else {
                guard byte == 0x0A || byte == 0x09 else { return nil }
                position += 1
            }
        }
        guard window.bytes[position + 1] == UInt8(ascii: "/"), position - start <= limits.textBytes,
            let end = plainEndTagEnd(position)
        else {
            return nil
        }
        window.position = end
        _ = close()
        return UnsafeBufferPointer(start: UnsafePointer(window.bytes + start), count: position - start)
    }

    /// Skips a line break and spaces between two tags, if there is nothing else between them.
    @inline(__always)
    mutating func passIndentation() {
        let position = indentationEnd(from: window.position)
        if window.bytes[position] == UInt8(ascii: "<"), position - window.position <= limits.textBytes {
            window.position = position
        }
    }

    /// Reads one piece of character data inside the root. Returns nil if more bytes are needed, or if a CDATA section
    /// ended.
    mutating func readText() throws(XMLError) -> XMLToken? {
        let start = window.position
        var position = indentationEnd(from: start)
        let stop = UInt8(ascii: "]")
        scan: while window.bytes[position] != UInt8(ascii: "<") || isInCDATA {
            position = plainEnd(from: position, stop: stop)
            let byte = window.bytes[position]
            if byte >= 0x80 {
                guard let count = try sequence(at: position) else {
                    break scan
                }
                position += count
                continue
            }
            switch byte {
            case UInt8(ascii: "<"), UInt8(ascii: "&"):
                guard isInCDATA else {
                    break scan
                }
                position += 1
            case 0x09, 0x0A:
                position += 1
            case 0x0D:
                break scan
            case stop:
                // Only the three characters `]]>` together matter. Two of them at the end of the window may be
                // continued.
                if position + 1 < window.end, window.bytes[position + 1] != stop {
                    position += 1
                } else if position + 2 < window.end {
                    if window.bytes[position + 2] == UInt8(ascii: ">") {
                        guard isInCDATA else {
                            throw error(.syntax, at: position, "']]>' is not allowed in text")
                        }
                        break scan
                    }
                    position += 1
                } else {
                    break scan
                }
            default:
                guard position >= window.end else {
                    throw error(.invalidText, at: position, "control character that is not allowed in XML")
                }
                break scan
            }
        }
        if position > start {
            window.position = position
            return try give(UnsafePointer(window.bytes + start), position - start)
        }
        return try readSpecialText(at: start)
    }

    /// Skips a line break and the spaces before an indented tag, eight at once. Most texts of a feed consist only of
    /// these.
    @inline(__always)
    private func indentationEnd(from start: Int) -> Int {
        guard window.bytes[start] == 0x0A else {
            return start
        }
        var position = start + 1
        let bytes = UnsafeRawPointer(window.bytes)
        while bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) == 0x2020_2020_2020_2020 {
            position += 8
        }
        while window.bytes[position] == 0x20 {
            position += 1
        }
        return position
    }

    /// Handles what ends a plain piece of text: the end of a CDATA section, a carriage return or a reference.
    private mutating func readSpecialText(at start: Int) throws(XMLError) -> XMLToken? {
        guard start < window.end else { return nil }
        switch window.bytes[start] {
        case UInt8(ascii: "]"):
            guard start + 2 < window.end else { return nil }
            isInCDATA = false
            window.position = start + 3
            return nil
        case 0x0D:
            guard start + 1 < window.end else { return nil }
            window.position = start + (window.bytes[start + 1] == 0x0A ? 2 : 1)
            window.scratch[0] = 0x0A
            return try give(UnsafePointer(window.scratch), 1)
        case UInt8(ascii: "&"):
            guard let reference = try reference(at: start) else { return nil }
            window.position = reference.end
            var count = 0
            UTF8Sequence.encode(reference.scalar) { byte in
                window.scratch[count] = byte
                count += 1
            }
            return try give(UnsafePointer(window.scratch), count)
        default:
            return nil
        }
    }

    private mutating func give(_ start: UnsafePointer<UInt8>, _ count: Int) throws(XMLError) -> XMLToken {
        textTotal += count
        guard textTotal <= limits.textBytes else {
            throw error(.limitExceeded, at: tokenStart, "a text is longer than \(limits.textBytes) bytes")
        }
        textStart = start
        textCount = count
        return .text
    }

    /// The length of the UTF-8 sequence at an index; nil if the window ends inside it.
    @inline(__always)
    mutating func sequence(at position: Int) throws(XMLError) -> Int? {
        switch UTF8Sequence.read(window.bytes + position, available: window.end - position) {
        case .scalar(_, let count): return count
        case .incomplete: return nil
        case .invalid:
            throw error(
                .invalidText, at: position,
                "bytes that are invalid in this encoding, or a character that is not allowed in XML")
        }
    }

    /// Reads `&#10;`, `&#xA;` or one of the five entities; nil if the window ends inside it.
    mutating func reference(at start: Int) throws(XMLError) -> (scalar: UInt32, end: Int)? {
        var position = start + 1
        guard window.bytes[position] == UInt8(ascii: "#") else {
            return try entity(at: start)
        }
        position += 1
        let isHex = window.bytes[position] == UInt8(ascii: "x")
        if isHex {
            position += 1
        }
        let digits = position
        var value: UInt32 = 0
        while true {
            let byte = window.bytes[position]
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte) - 0x30
            case UInt8(ascii: "a")...UInt8(ascii: "f") where isHex: digit = UInt32(byte) - 0x61 + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F") where isHex: digit = UInt32(byte) - 0x41 + 10
            default:
                guard position < window.end else { return nil }
                guard byte == UInt8(ascii: ";"), position > digits else {
                    throw error(.syntax, at: start, "malformed character reference")
                }
                guard CharacterClasses.isCharacter(value) else {
                    throw error(.invalidText, at: start, "reference to a character that is not allowed in XML")
                }
                return (value, position + 1)
            }
            value = min(value * (isHex ? 16 : 10) + digit, 0x11_0000)
            position += 1
        }
    }

    private static let entities: [(name: StaticString, scalar: UInt32)] = [
        ("quot", 0x22), ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("apos", 0x27),
    ]

    private mutating func entity(at start: Int) throws(XMLError) -> (scalar: UInt32, end: Int)? {
        for (name, scalar) in Self.entities {
            var index = 0
            while index < name.utf8CodeUnitCount, window.bytes[start + 1 + index] == name.utf8Start[index] {
                index += 1
            }
            let position = start + 1 + index
            if index == name.utf8CodeUnitCount, window.bytes[position] == UInt8(ascii: ";") {
                return (scalar, position + 1)
            }
            if position >= window.end {
                return nil
            }
        }
        throw error(.syntax, at: start, "undefined entity")
    }
}
