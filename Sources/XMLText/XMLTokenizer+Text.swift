extension XMLTokenizer {
    /// Reads the text of the element that has just started together with its end tag, where nothing else is in it:
    /// valid until the next call of `next` or `append`. Nil, and nothing has happened, where there is more in it, where
    /// it has to be rewritten, or where its end has not arrived.
    public mutating func readLeaf() -> UnsafeBufferPointer<UInt8>? {
        let start = window.position
        if endFollows {
            endFollows = false
            _ = close()
            return UnsafeBufferPointer(start: UnsafePointer(window.bytes + start), count: 0)
        }
        var place = start
        while true {
            place = plainEnd(from: place, stop: UInt8(ascii: "]"))
            let byte = window.bytes[place]
            if byte == UInt8(ascii: "<") {
                break
            }
            if byte >= 0x80 {
                guard
                    case .scalar(_, let count) = UTF8Sequence.read(window.bytes + place, available: window.end - place)
                else {
                    return nil
                }
                place += count
            } else {
                guard byte == 0x0A || byte == 0x09 else { return nil }
                place += 1
            }
        }
        guard window.bytes[place + 1] == UInt8(ascii: "/"), place - start <= limits.textBytes,
            let end = plainEndTagEnd(place)
        else {
            return nil
        }
        window.position = end
        _ = close()
        return UnsafeBufferPointer(start: UnsafePointer(window.bytes + start), count: place - start)
    }

    /// Passes the line break and the blanks between two tags, where that is all that stands there.
    @inline(__always)
    mutating func passIndentation() {
        let place = indentationEnd(from: window.position)
        if window.bytes[place] == UInt8(ascii: "<"), place - window.position <= limits.textBytes {
            window.position = place
        }
    }

    /// Character data inside the root: one piece, nil where the window ends before the next one can be told, or where a
    /// CDATA section ended.
    mutating func readText() throws(XMLError) -> XMLToken? {
        let start = window.position
        var place = indentationEnd(from: start)
        let stop = UInt8(ascii: "]")
        scan: while window.bytes[place] != UInt8(ascii: "<") || isInCDATA {
            place = plainEnd(from: place, stop: stop)
            let byte = window.bytes[place]
            if byte >= 0x80 {
                guard let count = try sequence(at: place) else {
                    break scan
                }
                place += count
                continue
            }
            switch byte {
            case UInt8(ascii: "<"), UInt8(ascii: "&"):
                guard isInCDATA else {
                    break scan
                }
                place += 1
            case 0x09, 0x0A:
                place += 1
            case 0x0D:
                break scan
            case stop:
                // Only the three characters together mean something; two of them at the end of the window may become
                // that.
                if place + 1 < window.end, window.bytes[place + 1] != stop {
                    place += 1
                } else if place + 2 < window.end {
                    if window.bytes[place + 2] == UInt8(ascii: ">") {
                        guard isInCDATA else {
                            throw error(.syntax, at: place, "']]>' is not allowed in text")
                        }
                        break scan
                    }
                    place += 1
                } else {
                    break scan
                }
            default:
                guard place >= window.end else {
                    throw error(.invalidText, at: place, "control character that is not allowed in XML")
                }
                break scan
            }
        }
        if place > start {
            window.position = place
            return try give(UnsafePointer(window.bytes + start), place - start)
        }
        return try readSpecialText(at: start)
    }

    /// Moves over the line break and the blanks in front of an indented tag, eight at once: most texts of a feed are
    /// nothing else.
    @inline(__always)
    private func indentationEnd(from start: Int) -> Int {
        guard window.bytes[start] == 0x0A else {
            return start
        }
        var place = start + 1
        let bytes = UnsafeRawPointer(window.bytes)
        while bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) == 0x2020_2020_2020_2020 {
            place += 8
        }
        while window.bytes[place] == 0x20 {
            place += 1
        }
        return place
    }

    /// What a piece of text cannot simply contain: the end of a CDATA section, a carriage return, a reference.
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

    /// The length of the UTF-8 sequence at a place, nil where the window ends inside it.
    @inline(__always)
    func sequence(at place: Int) throws(XMLError) -> Int? {
        switch UTF8Sequence.read(window.bytes + place, available: window.end - place) {
        case .scalar(_, let count): return count
        case .incomplete: return nil
        case .invalid:
            throw error(
                .invalidText, at: place,
                "bytes that are invalid in this encoding, or a character that is not allowed in XML")
        }
    }

    /// `&#10;`, `&#xA;` or one of the five entities; nil where the window ends inside it.
    func reference(at start: Int) throws(XMLError) -> (scalar: UInt32, end: Int)? {
        var place = start + 1
        guard window.bytes[place] == UInt8(ascii: "#") else {
            return try entity(at: start)
        }
        place += 1
        let isHex = window.bytes[place] == UInt8(ascii: "x")
        if isHex {
            place += 1
        }
        let digits = place
        var value: UInt32 = 0
        while true {
            let byte = window.bytes[place]
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte) - 0x30
            case UInt8(ascii: "a")...UInt8(ascii: "f") where isHex: digit = UInt32(byte) - 0x61 + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F") where isHex: digit = UInt32(byte) - 0x41 + 10
            default:
                guard place < window.end else { return nil }
                guard byte == UInt8(ascii: ";"), place > digits else {
                    throw error(.syntax, at: start, "malformed character reference")
                }
                guard CharacterClasses.isCharacter(value) else {
                    throw error(.invalidText, at: start, "reference to a character that is not allowed in XML")
                }
                return (value, place + 1)
            }
            value = min(value * (isHex ? 16 : 10) + digit, 0x11_0000)
            place += 1
        }
    }

    private static let entities: [(name: StaticString, scalar: UInt32)] = [
        ("quot", 0x22), ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("apos", 0x27),
    ]

    private func entity(at start: Int) throws(XMLError) -> (scalar: UInt32, end: Int)? {
        for (name, scalar) in Self.entities {
            var index = 0
            while index < name.utf8CodeUnitCount, window.bytes[start + 1 + index] == name.utf8Start[index] {
                index += 1
            }
            let place = start + 1 + index
            if index == name.utf8CodeUnitCount, window.bytes[place] == UInt8(ascii: ";") {
                return (scalar, place + 1)
            }
            if place >= window.end {
                return nil
            }
        }
        throw error(.syntax, at: start, "undefined entity")
    }
}
