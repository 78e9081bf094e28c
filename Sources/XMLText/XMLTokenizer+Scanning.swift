extension XMLTokenizer {
    /// Moves over characters that need no look: stops at `<`, `&`, the byte given, anything below U+0020 and anything
    /// above U+007F.
    ///
    /// Sixteen bytes at once; one signed comparison finds both the control characters and the bytes of longer
    /// sequences. It stops at the zeros behind the window at the latest, so loads of 16 bytes stay inside its memory.
    @inline(__always)
    func plainEnd(from start: Int, stop: UInt8) -> Int {
        let bytes = UnsafeRawPointer(window.bytes)
        let less = SIMD16<UInt8>(repeating: UInt8(ascii: "<"))
        let ampersand = SIMD16<UInt8>(repeating: UInt8(ascii: "&"))
        let other = SIMD16<UInt8>(repeating: stop)
        let space = SIMD16<Int8>(repeating: 0x20)
        var place = start
        while true {
            let chunk = bytes.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
            // A reinterpretation of the same 16 bytes, which has no other spelling that is one instruction.
            let signed = unsafeBitCast(chunk, to: SIMD16<Int8>.self)
            let found = (chunk .== less) .| (chunk .== ampersand) .| (chunk .== other) .| (signed .< space)
            let marks = unsafeBitCast(found, to: SIMD2<UInt64>.self)
            if marks[0] != 0 {
                return place + marks[0].trailingZeroBitCount / 8
            }
            if marks[1] != 0 {
                return place + 8 + marks[1].trailingZeroBitCount / 8
            }
            place += 16
        }
    }

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

    /// Whether a name cannot go on with this byte.
    @inline(__always)
    static func endsName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ">") || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "/") || isSpace(byte)
    }

    @inline(__always)
    func spaceEnd(from start: Int) -> Int {
        var place = start
        while Self.isSpace(window.bytes[place]) {
            place += 1
        }
        return place
    }

    /// Reads the name at a place: the number of the name as written and its end, nil where the window ends inside it.
    ///
    /// The names that followed last time are compared first, 16 bytes at once; only others are looked up.
    @inline(__always)
    mutating func readName(at start: Int, predicted: Successors) throws(XMLError) -> (name: Int32, end: Int)? {
        if let end = end(of: predicted.first, at: start) {
            return (predicted.first, end)
        }
        if let end = end(of: predicted.second, at: start) {
            return (predicted.second, end)
        }
        return try lookUpName(at: start)
    }

    /// The end of this name where it stands at a place.
    @inline(__always)
    private func end(of name: Int32, at start: Int) -> Int? {
        guard name >= 0 else { return nil }
        let known = names.qualified.base + Int(name)
        let count = known.pointee.count
        guard known.pointee.begins(UnsafeRawPointer(window.bytes + start)),
            count <= 16
                || start + count < window.end
                    && names.texts.matches(known.pointee.text, from: 16, window.bytes + start + 16),
            Self.endsName(window.bytes[start + count])
        else {
            return nil
        }
        return start + count
    }

    @inline(never)
    private mutating func lookUpName(at start: Int) throws(XMLError) -> (name: Int32, end: Int)? {
        let table = CharacterClasses.table
        var place = start
        while table[Int(window.bytes[place])] & CharacterClasses.name != 0 {
            place += 1
        }
        guard place - start <= limits.nameBytes else {
            throw error(.limitExceeded, at: start, "a name is longer than \(limits.nameBytes) bytes")
        }
        guard place < window.end else { return nil }
        guard place > start else {
            throw error(.syntax, at: start, "expected a name")
        }
        let bytes = UnsafeBufferPointer(start: UnsafePointer(window.bytes + start), count: place - start)
        let text = names.text(bytes)
        if let known = names.known(text: text) {
            return (known, place)
        }
        guard names.count < limits.names else {
            throw error(.limitExceeded, at: start, "more than \(limits.names) different names in the document")
        }
        let colon = try checkName(at: start, end: place)
        return (names.add(bytes, text: text, colon: colon), place)
    }

    /// Checks the characters of a name, and that it has at most one colon, with a name on both sides of it; tells where
    /// the colon is.
    private func checkName(at start: Int, end: Int) throws(XMLError) -> Int? {
        var place = start
        var colon: Int?
        var isStart = true
        while place < end {
            let byte = window.bytes[place]
            var scalar = UInt32(byte)
            var count = 1
            if byte >= 0x80 {
                guard
                    case .scalar(let found, let length) = UTF8Sequence.read(
                        window.bytes + place, available: end - place)
                else {
                    throw error(.invalidText, at: place, "invalid UTF-8 in a name")
                }
                (scalar, count) = (found, length)
            }
            if byte == UInt8(ascii: ":") {
                guard !isStart, colon == nil, place + 1 < end else {
                    throw error(.namespace, at: place, "misplaced colon in a name")
                }
                colon = place - start
                isStart = true
            } else {
                guard isStart ? CharacterClasses.isNameStart(scalar) : CharacterClasses.isName(scalar) else {
                    throw error(.syntax, at: place, "invalid character in a name")
                }
                isStart = false
            }
            place += count
        }
        return colon
    }
}
