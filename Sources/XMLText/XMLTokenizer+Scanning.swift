import StepCounting

extension XMLTokenizer {
    /// Skips plain characters. Stops at `<`, `&`, the given byte, anything below U+0020 and anything above U+007F.
    ///
    /// It reads sixteen bytes at once; one signed comparison finds both control characters and non-ASCII bytes. It
    /// stops at the zeros after the window at the latest, so loads of 16 bytes stay inside the memory of the window.
    @inline(__always)
    func plainEnd(from start: Int, stop: UInt8) -> Int {
        let bytes = UnsafeRawPointer(window.bytes)
        let less = SIMD16<UInt8>(repeating: UInt8(ascii: "<"))
        let ampersand = SIMD16<UInt8>(repeating: UInt8(ascii: "&"))
        let other = SIMD16<UInt8>(repeating: stop)
        let space = SIMD16<Int8>(repeating: 0x20)
        var position = start
        while true {
            let chunk = bytes.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
            // Reinterprets the same 16 bytes; other ways need more than one instruction.
            let signed = unsafeBitCast(chunk, to: SIMD16<Int8>.self)
            let found = (chunk .== less) .| (chunk .== ampersand) .| (chunk .== other) .| (signed .< space)
            let marks = unsafeBitCast(found, to: SIMD2<UInt64>.self)
            if marks[0] != 0 {
                return position + marks[0].trailingZeroBitCount / 8
            }
            if marks[1] != 0 {
                return position + 8 + marks[1].trailingZeroBitCount / 8
            }
            position += 16
        }
    }

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

    /// Whether this byte cannot be part of a name.
    @inline(__always)
    static func endsName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ">") || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "/") || isSpace(byte)
    }

    @inline(__always)
    func spaceEnd(from start: Int) -> Int {
        var position = start
        while Self.isSpace(window.bytes[position]) {
            position += 1
        }
        return position
    }

    /// Reads the name at an index: the number of the name as written, and its end. Returns nil if the window ends
    /// inside it.
    ///
    /// First compares the bytes with the two predicted names, 16 bytes at once. Looks the name up only if it is another
    /// one.
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

    /// The end of a name, if the name is at an index; otherwise nil.
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

    /// The name of less than 16 bytes at an index, if it was looked up recently; otherwise nil.
    @inline(__always)
    private func recentName(at start: Int) -> (name: Int32, end: Int)? {
        let bytes = UnsafeRawPointer(window.bytes + start)
        let chunk = bytes.loadUnaligned(as: SIMD16<UInt8>.self)
        let greater = SIMD16<UInt8>(repeating: UInt8(ascii: ">"))
        let equals = SIMD16<UInt8>(repeating: UInt8(ascii: "="))
        let slash = SIMD16<UInt8>(repeating: UInt8(ascii: "/"))
        // As signed numbers, bytes that are not ASCII are small too. A name with one of them is looked up.
        let signed = unsafeBitCast(chunk, to: SIMD16<Int8>.self)
        let found =
            (chunk .== greater) .| (chunk .== equals) .| (chunk .== slash) .| (signed .< SIMD16<Int8>(repeating: 0x21))
        let marks = unsafeBitCast(found, to: SIMD2<UInt64>.self)
        var words = RecentNames.Words(
            first: bytes.loadUnaligned(as: UInt64.self),
            second: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self), count: 0)
        if marks[0] != 0 {
            words.count = marks[0].trailingZeroBitCount / 8
            words.first &= Self.mask(words.count)
            words.second = 0
        } else {
            guard marks[1] != 0 else { return nil }
            words.count = 8 + marks[1].trailingZeroBitCount / 8
            words.second &= Self.mask(words.count - 8)
        }
        // The zeros after the window end no name.
        guard Self.endsName(window.bytes[start + words.count]), let name = names.recentName(words) else { return nil }
        return (name, start + words.count)
    }

    /// The first bytes of a word in memory order, less than eight.
    @inline(__always)
    private static func mask(_ count: Int) -> UInt64 { UInt64(littleEndian: (1 &<< UInt64(8 &* count)) &- 1) }

    @inline(never)
    private mutating func lookUpName(at start: Int) throws(XMLError) -> (name: Int32, end: Int)? {
        if let recent = recentName(at: start) {
            StepCounter.add()
            return recent
        }
        let table = CharacterClasses.table
        var position = start
        while table[Int(window.bytes[position])] & CharacterClasses.name != 0 {
            position += 1
        }
        guard position - start <= limits.nameBytes else {
            throw error(.limitExceeded, at: start, "a name is longer than \(limits.nameBytes) bytes")
        }
        guard position < window.end else { return nil }
        guard position > start else {
            throw error(.syntax, at: start, "expected a name")
        }
        let bytes = UnsafeBufferPointer(start: UnsafePointer(window.bytes + start), count: position - start)
        let text = names.text(bytes)
        if let known = names.known(text: text) {
            names.remember(known)
            return (known, position)
        }
        guard names.count < limits.names else {
            throw error(.limitExceeded, at: start, "more than \(limits.names) different names in the document")
        }
        let colon = try checkName(at: start, end: position)
        let name = names.add(bytes, text: text, colon: colon)
        names.remember(name)
        return (name, position)
    }

    /// Checks the characters of a name, and that it has at most one colon with a name on both sides. Returns the index
    /// of the colon.
    private func checkName(at start: Int, end: Int) throws(XMLError) -> Int? {
        var position = start
        var colon: Int?
        var isStart = true
        while position < end {
            let byte = window.bytes[position]
            var scalar = UInt32(byte)
            var count = 1
            if byte >= 0x80 {
                guard
                    case .scalar(let found, let length) = UTF8Sequence.read(
                        window.bytes + position, available: end - position)
                else {
                    throw error(.invalidText, at: position, "invalid UTF-8 in a name")
                }
                (scalar, count) = (found, length)
            }
            if byte == UInt8(ascii: ":") {
                guard !isStart, colon == nil, position + 1 < end else {
                    throw error(.namespace, at: position, "misplaced colon in a name")
                }
                colon = position - start
                isStart = true
            } else {
                guard isStart ? CharacterClasses.isNameStart(scalar) : CharacterClasses.isName(scalar) else {
                    throw error(.syntax, at: position, "invalid character in a name")
                }
                isStart = false
            }
            position += count
        }
        return colon
    }
}
