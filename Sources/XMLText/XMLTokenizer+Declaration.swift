extension XMLTokenizer {
    /// `<?xml version="1.0" encoding="utf-8" standalone="yes"?>` at the very beginning, or nothing. False where more
    /// bytes are needed to tell.
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
        // `<?xml-stylesheet ...?>` is an instruction like any other.
        guard Self.isSpace(window.bytes[5]) else {
            hasStarted = true
            return true
        }
        var place = 5
        guard let version = try pseudoAttribute("version", at: &place) else {
            guard place < window.end else { return false }
            throw error(.syntax, at: place, "the XML declaration has no version")
        }
        guard isVersion(version) else {
            throw error(.syntax, at: version.lowerBound, "unsupported XML version")
        }
        if let encoding = try pseudoAttribute("encoding", at: &place) {
            try checkEncoding(encoding)
        }
        if let standalone = try pseudoAttribute("standalone", at: &place) {
            let text = string(standalone)
            guard text == "yes" || text == "no" else {
                throw error(.syntax, at: standalone.lowerBound, "standalone must be yes or no")
            }
        }
        place = spaceEnd(from: place)
        guard place + 1 < window.end else { return false }
        guard window.bytes[place] == UInt8(ascii: "?"), window.bytes[place + 1] == UInt8(ascii: ">") else {
            throw error(.syntax, at: place, "malformed XML declaration")
        }
        window.position = place + 2
        hasStarted = true
        return true
    }

    /// White space, the name, `=` and a quoted value: the place of the value, and `place` behind it. Nil, and `place`
    /// unmoved, where something else stands there; where the window ends first, `place` is its end.
    private func pseudoAttribute(_ name: StaticString, at place: inout Int) throws(XMLError) -> Range<Int>? {
        var at = spaceEnd(from: place)
        guard at > place else { return nil }
        for index in 0..<name.utf8CodeUnitCount where window.bytes[at + index] != name.utf8Start[index] {
            if at + index >= window.end {
                place = window.end
            }
            return nil
        }
        at = spaceEnd(from: at + name.utf8CodeUnitCount)
        guard at < window.end else {
            place = window.end
            return nil
        }
        guard window.bytes[at] == UInt8(ascii: "=") else {
            throw error(.syntax, at: at, "malformed XML declaration")
        }
        at = spaceEnd(from: at + 1)
        guard at < window.end else {
            place = window.end
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
                place = window.end
                return nil
            }
            guard window.bytes[at] > 0x20, window.bytes[at] < 0x7F, window.bytes[at] != UInt8(ascii: "<") else {
                throw error(.syntax, at: at, "malformed XML declaration")
            }
            at += 1
        }
        place = at + 1
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

    /// The declared encoding has to be one that is read, and the one that a byte order mark shows. What the caller knew
    /// outweighs it.
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
