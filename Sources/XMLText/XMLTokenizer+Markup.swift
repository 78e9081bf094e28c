extension XMLTokenizer {
    /// Something that begins with `<`: nil where the window ends inside it, `needsInput` for the beginning of a CDATA
    /// section, which is no token.
    mutating func readMarkup() throws(XMLError) -> XMLToken? {
        let start = window.position
        switch window.bytes[start + 1] {
        case UInt8(ascii: "/"):
            guard let end = try endTagEnd(start) else { return nil }
            window.position = end
            return close()
        case UInt8(ascii: "!"):
            return try readExclamation()
        case UInt8(ascii: "?"):
            return try readProcessingInstruction()
        default:
            guard start + 1 < window.end else { return nil }
            return try readStartTag()
        }
    }

    /// Whether the text at a place is this one; nil where it may become it when more has arrived.
    private func starts(_ place: Int, with text: StaticString) -> Bool? {
        for index in 0..<text.utf8CodeUnitCount where window.bytes[place + index] != text.utf8Start[index] {
            return place + index >= window.end ? nil : false
        }
        return true
    }

    private mutating func readExclamation() throws(XMLError) -> XMLToken? {
        let start = window.position
        let comment = starts(start, with: "<!--")
        if comment == true {
            return try readComment()
        }
        let section = starts(start, with: "<![CDATA[")
        if section == true {
            guard !stack.isEmpty else {
                throw error(.syntax, at: start, "CDATA section outside the root element")
            }
            window.position = start + 9
            isInCDATA = true
            return .needsInput
        }
        let doctype = starts(start, with: "<!DOCTYPE")
        if doctype == true {
            throw error(.doctypeForbidden, at: start, "document type declarations are not allowed")
        }
        guard comment == nil || section == nil || doctype == nil else {
            throw error(.syntax, at: start, "unknown markup after '<!'")
        }
        return nil
    }

    private mutating func readComment() throws(XMLError) -> XMLToken? {
        let start = window.position + 4
        guard let end = try dataEnd(from: start, stop: UInt8(ascii: "-")) else { return nil }
        guard window.bytes[end + 2] == UInt8(ascii: ">") else {
            throw error(.syntax, at: end, "'--' is not allowed in a comment")
        }
        give(start, end)
        window.position = end + 3
        return .comment
    }

    private mutating func readProcessingInstruction() throws(XMLError) -> XMLToken? {
        let start = window.position + 2
        let table = CharacterClasses.table
        var place = start
        while table[Int(window.bytes[place])] & CharacterClasses.name != 0 {
            place += 1
        }
        guard place - start <= limits.nameBytes else {
            throw error(.limitExceeded, at: start, "a name is longer than \(limits.nameBytes) bytes")
        }
        guard place < window.end else { return nil }
        try checkTarget(start, place)
        guard let end = try dataEnd(from: place, stop: UInt8(ascii: "?")) else { return nil }
        guard end == place || Self.isSpace(window.bytes[place]) else {
            throw error(.syntax, at: place, "the target of a processing instruction is not a valid name")
        }
        give(start, end)
        window.position = end + 2
        return .processingInstruction
    }

    /// A target is a name without colons, and not `xml` in any letter case: the declaration stands at the very
    /// beginning or nowhere.
    private func checkTarget(_ start: Int, _ end: Int) throws(XMLError) {
        guard end > start else {
            throw error(.syntax, at: start, "a processing instruction has no target")
        }
        if end - start == 3 {
            let letters = (window.bytes[start] | 0x20, window.bytes[start + 1] | 0x20, window.bytes[start + 2] | 0x20)
            guard letters != (UInt8(ascii: "x"), UInt8(ascii: "m"), UInt8(ascii: "l")) else {
                throw error(
                    .syntax, at: start - 2, "an XML declaration is only allowed at the beginning of the document")
            }
        }
        var place = start
        while place < end {
            var scalar = UInt32(window.bytes[place])
            var count = 1
            if scalar >= 0x80 {
                guard
                    case .scalar(let found, let length) = UTF8Sequence.read(
                        window.bytes + place, available: end - place)
                else {
                    throw error(.invalidText, at: place, "invalid UTF-8 in a name")
                }
                (scalar, count) = (found, length)
            }
            guard scalar != 0x3A,
                place == start ? CharacterClasses.isNameStart(scalar) : CharacterClasses.isName(scalar)
            else {
                throw error(.syntax, at: place, "invalid character in a name")
            }
            place += count
        }
    }

    /// The end of a comment or an instruction: the place of `--` or `?>`, with one more byte behind it; nil where the
    /// window ends before. The characters on the way are checked.
    private func dataEnd(from start: Int, stop: UInt8) throws(XMLError) -> Int? {
        var place = start
        let second = stop == UInt8(ascii: "-") ? stop : UInt8(ascii: ">")
        while true {
            place = plainEnd(from: place, stop: stop)
            guard place - start <= limits.textBytes else {
                throw error(
                    .limitExceeded, at: start,
                    "a comment or processing instruction is longer than \(limits.textBytes) bytes")
            }
            let byte = window.bytes[place]
            if byte == stop {
                let needed = stop == UInt8(ascii: "-") ? place + 2 : place + 1
                guard needed < window.end else { return nil }
                if window.bytes[place + 1] == second {
                    return place
                }
                place += 1
            } else if byte >= 0x80 {
                guard let count = try sequence(at: place) else { return nil }
                place += count
            } else if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || Self.isSpace(byte) {
                place += 1
            } else {
                guard place >= window.end else {
                    throw error(.invalidText, at: place, "control character that is not allowed in XML")
                }
                return nil
            }
        }
    }

    private mutating func give(_ start: Int, _ end: Int) {
        textStart = UnsafePointer(window.bytes + start)
        textCount = end - start
    }
}
