extension XMLTokenizer {
    /// `<?xml version="1.0" encoding="utf-8" standalone="yes"?>` at the start of the document, or nothing. Returns
    /// false if more bytes are needed.
    mutating func readDeclaration() throws(XMLError) -> Bool {
        if let failure = window.failure {
            throw failure
        }
        let mark: StaticString = "<?xml"
        for index in 0..<mark.utf8CodeUnitCount where window.bytes[index] != mark.utf8Start[index] {
            guard index < window.end else { return false }
            hasStarted = true
            return true
        }
        guard window.end > 5 else { return false }
        // `<?xml-stylesheet ...?>` is a normal processing instruction.
        guard Self.isSpace(window.bytes[5]) else {
            hasStarted = true
            return true
        }
        var position = 5
        guard let version = try pseudoAttribute("version", at: &position) else {
            guard position < window.end else { return false }
            throw error(.syntax, at: position, "the XML declaration has no version")
        }
        guard isVersion(version) else {
            throw error(.syntax, at: version.lowerBound, "unsupported XML version")
        }
        if let encoding = try pseudoAttribute("encoding", at: &position) {
            try checkEncoding(encoding)
        }
        if let standalone = try pseudoAttribute("standalone", at: &position) {
            let text = string(standalone)
            guard text == "yes" || text == "no" else {
                throw error(.syntax, at: standalone.lowerBound, "standalone must be yes or no")
            }
        }
        position = spaceEnd(from: position)
        guard position + 1 < window.end else { return false }
        guard window.bytes[position] == UInt8(ascii: "?"), window.bytes[position + 1] == UInt8(ascii: ">") else {
            throw error(.syntax, at: position, "malformed XML declaration")
        }
        window.position = position + 2
        hasStarted = true
        return true
    }

    /// Reads white space, the name, `=` and a quoted value. Returns the range of the value and moves the position after
    /// it. Returns nil without moving it if there is something else. If the window ends first, the position is the end
    /// of the window.
    private func pseudoAttribute(_ name: StaticString, at position: inout Int) throws(XMLError) -> Range<Int>? {
        var at = spaceEnd(from: position)
        guard at > position else { return nil }
        for index in 0..<name.utf8CodeUnitCount where window.bytes[at + index] != name.utf8Start[index] {
            if at + index >= window.end {
                position = window.end
            }
            return nil
        }
        at = spaceEnd(from: at + name.utf8CodeUnitCount)
        guard at < window.end else {
            position = window.end
            return nil
        }
        guard window.bytes[at] == UInt8(ascii: "=") else {
            throw error(.syntax, at: at, "malformed XML declaration")
        }
        at = spaceEnd(from: at + 1)
        guard at < window.end else {
            position = window.end
            return nil
        }
        let quote = window.bytes[at]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw error(.syntax, at: at, "malformed XML declaration")
        }
        let start = at + 1
        at = start
        while window.bytes[at] != quote {
            guard at < window.end else {
                position = window.end
                return nil
            }
            guard window.bytes[at] > 0x20, window.bytes[at] < 0x7F, window.bytes[at] != UInt8(ascii: "<") else {
                throw error(.syntax, at: at, "malformed XML declaration")
            }
            at += 1
        }
        position = at + 1
        return start..<at
    }

    private func isVersion(_ range: Range<Int>) -> Bool {
        guard range.count >= 3, window.bytes[range.lowerBound] == UInt8(ascii: "1"),
            window.bytes[range.lowerBound + 1] == UInt8(ascii: ".")
        else {
            return false
        }
        return range.dropFirst(2).allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(window.bytes[$0]) }
    }

    /// Checks that the declared encoding is supported and matches a byte order mark. An encoding that the caller gave
    /// takes precedence.
    private func checkEncoding(_ range: Range<Int>) throws(XMLError) {
        guard let declared = XMLEncoding(named: string(range)) else {
            throw error(.encoding, at: range.lowerBound, "unsupported encoding in the XML declaration")
        }
        guard !window.isStated else { return }
        guard declared == window.encoding || (declared.isUTF16 && window.encoding.isUTF16) else {
            throw error(
                .encoding, at: range.lowerBound, "the encoding in the XML declaration differs from that of the bytes")
        }
    }

    private func string(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(start: window.bytes + range.lowerBound, count: range.count), as: UTF8.self)
    }
}
