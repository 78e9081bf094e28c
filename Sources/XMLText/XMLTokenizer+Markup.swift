extension XMLTokenizer {
    /// Reads markup that starts with `<`. Returns nil if the window ends inside it, and `needsInput` for the start of a
    /// CDATA section, which is not a token.
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

    /// Whether a text is at an index; nil if more bytes are needed to decide.
    private func starts(_ position: Int, with text: StaticString) -> Bool? {
        for index in 0..<text.utf8CodeUnitCount where window.bytes[position + index] != text.utf8Start[index] {
            return position + index >= window.end ? nil : false
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
        var position = start
        while table[Int(window.bytes[position])] & CharacterClasses.name != 0 {
            position += 1
        }
        guard position - start <= limits.nameBytes else {
            throw error(.limitExceeded, at: start, "a name is longer than \(limits.nameBytes) bytes")
        }
        guard position < window.end else { return nil }
        try checkTarget(start, position)
        guard let end = try dataEnd(from: position, stop: UInt8(ascii: "?")) else { return nil }
        guard end == position || Self.isSpace(window.bytes[position]) else {
            throw error(.syntax, at: position, "the target of a processing instruction is not a valid name")
        }
        give(start, end)
        window.position = end + 2
        return .processingInstruction
    }

    /// Checks the target of a processing instruction: a name without colons and not `xml` in any case, because the
    /// declaration is allowed only at the start.
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
        var position = start
        while position < end {
            var scalar = UInt32(window.bytes[position])
            var count = 1
            if scalar >= 0x80 {
                guard
                    case .scalar(let found, let length) = UTF8Sequence.read(
                        window.bytes + position, available: end - position)
                else {
                    throw error(.invalidText, at: position, "invalid UTF-8 in a name")
                }
                (scalar, count) = (found, length)
            }
            guard scalar != 0x3A,
                position == start ? CharacterClasses.isNameStart(scalar) : CharacterClasses.isName(scalar)
            else {
                throw error(.syntax, at: position, "invalid character in a name")
            }
            position += count
        }
    }

    /// The index of the `--` or `?>` that ends a comment or an instruction; nil if the window ends before the byte
    /// after it. Checks the characters before it.
    private mutating func dataEnd(from start: Int, stop: UInt8) throws(XMLError) -> Int? {
        var position = start
        let second = stop == UInt8(ascii: "-") ? stop : UInt8(ascii: ">")
        while true {
            position = plainEnd(from: position, stop: stop)
            guard position - start <= limits.textBytes else {
                throw error(
                    .limitExceeded, at: start,
                    "a comment or processing instruction is longer than \(limits.textBytes) bytes")
            }
            let byte = window.bytes[position]
            if byte == stop {
                let needed = stop == UInt8(ascii: "-") ? position + 2 : position + 1
                guard needed < window.end else { return nil }
                if window.bytes[position + 1] == second {
                    return position
                }
                position += 1
            } else if byte >= 0x80 {
                guard let count = try sequence(at: position) else { return nil }
                position += count
            } else if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || Self.isSpace(byte) {
                position += 1
            } else {
                guard position >= window.end else {
                    throw error(.invalidText, at: position, "control character that is not allowed in XML")
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
