extension ByteScanner {
    /// Skips a string; checks escapes, control characters and UTF-8.
    @inline(__always) mutating func scanString() throws(ScanFailure) -> StringToken {
        let start = position + 1
        var index = start
        var isEscaped = false
        while true {
            index = plainASCIIEnd(from: index)
            guard index < end else {
                throw ScanFailure(.truncated, at: end)
            }
            let byte = base[index]
            if byte == 0x22 {
                break
            }
            if byte == 0x5C {
                isEscaped = true
                index = try escapeEnd(from: index)
            } else if byte >= 0x80 {
                index = try multibyteEnd(from: index)
            } else {
                throw ScanFailure(.controlCharacter, at: index)
            }
        }
        position = index + 1
        return StringToken(start: start, end: index, isEscaped: isEscaped)
    }

    /// The index of the next quote, backslash, control character or non-ASCII byte.
    @inline(__always) func plainASCIIEnd(from start: Int) -> Int {
        // Both operands must be vectors: a comparison with a scalar is compiled to a loop over the lanes.
        let quote = SIMD16<UInt8>(repeating: 0x22)
        let backslash = SIMD16<UInt8>(repeating: 0x5C)
        let space = SIMD16<Int8>(repeating: 0x20)
        var index = start
        while index &+ 16 <= end {
            let block = UnsafeRawPointer(base + index).loadUnaligned(as: SIMD16<UInt8>.self)
            // As signed numbers, control characters and non-ASCII bytes are found with one comparison.
            let signed = unsafeBitCast(block, to: SIMD16<Int8>.self)
            let stops = (block .== quote) .| (block .== backslash) .| (signed .< space)
            // Lane 0 is the lowest byte, because all platforms of Swift are little-endian.
            let halves = unsafeBitCast(stops, to: SIMD2<UInt64>.self)
            if halves[0] != 0 {
                return index + halves[0].trailingZeroBitCount / 8
            }
            if halves[1] != 0 {
                return index + 8 + halves[1].trailingZeroBitCount / 8
            }
            index &+= 16
        }
        while index < end {
            let byte = base[index]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 || byte >= 0x80 {
                break
            }
            index &+= 1
        }
        return index
    }

    /// Skips one escape; a high surrogate includes the low surrogate after it.
    mutating func escapeEnd(from backslash: Int) throws(ScanFailure) -> Int {
        guard backslash + 1 < end else {
            throw ScanFailure(.truncated, at: end)
        }
        switch base[backslash + 1] {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return backslash + 2
        case 0x75: break
        default: throw ScanFailure(.invalidEscape, at: backslash)
        }
        let unit = try hexUnit(at: backslash)
        if unit == 0 {
            lastNUL = backslash
        }
        guard unit & 0xF800 == 0xD800 else {
            return backslash + 6
        }
        guard unit < 0xDC00 else {
            throw ScanFailure(.loneSurrogate, at: backslash)
        }
        let partner = backslash + 6
        guard partner < end else {
            throw ScanFailure(.truncated, at: end)
        }
        guard base[partner] == 0x5C else {
            throw ScanFailure(.loneSurrogate, at: backslash)
        }
        guard partner + 1 < end else {
            throw ScanFailure(.truncated, at: end)
        }
        guard base[partner + 1] == 0x75 else {
            throw ScanFailure(.loneSurrogate, at: backslash)
        }
        guard try hexUnit(at: partner) & 0xFC00 == 0xDC00 else {
            throw ScanFailure(.loneSurrogate, at: backslash)
        }
        return partner + 6
    }

    /// The value of the four digits after `\u`.
    private func hexUnit(at backslash: Int) throws(ScanFailure) -> UInt32 {
        var value: UInt32 = 0
        for index in backslash + 2..<backslash + 6 {
            guard index < end else {
                throw ScanFailure(.truncated, at: end)
            }
            guard let digit = hexValue(base[index]) else {
                throw ScanFailure(.invalidEscape, at: backslash)
            }
            value = value << 4 | digit
        }
        return value
    }

    /// Skips consecutive non-ASCII characters; checks the ranges of RFC 3629, section 4: no overlong forms, no
    /// surrogates, nothing above U+10FFFF.
    @inline(__always) func multibyteEnd(from start: Int) throws(ScanFailure) -> Int {
        var index = start
        while index < end {
            let lead = base[index]
            if lead < 0x80 {
                break
            }
            if lead &- 0xC2 < 0x1E {
                guard index + 1 < end else {
                    throw ScanFailure(.truncated, at: end)
                }
                guard base[index + 1] & 0xC0 == 0x80 else {
                    throw ScanFailure(.invalidUTF8, at: index)
                }
                index += 2
            } else {
                index = try longCharacterEnd(from: index)
            }
        }
        return index
    }

    /// Skips a character of three or four bytes.
    private func longCharacterEnd(from index: Int) throws(ScanFailure) -> Int {
        let lead = base[index]
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        switch lead {
        case 0xE0: low = 0xA0
        case 0xED: high = 0x9F
        case 0xE1...0xEF: break
        case 0xF0: low = 0x90
        case 0xF4: high = 0x8F
        case 0xF1...0xF3: break
        default: throw ScanFailure(.invalidUTF8, at: index)
        }
        let count = lead < 0xF0 ? 3 : 4
        guard index + 1 < end else {
            throw ScanFailure(.truncated, at: end)
        }
        guard base[index + 1] >= low, base[index + 1] <= high else {
            throw ScanFailure(.invalidUTF8, at: index)
        }
        for next in index + 2..<index + count {
            guard next < end else {
                throw ScanFailure(.truncated, at: end)
            }
            guard base[next] & 0xC0 == 0x80 else {
                throw ScanFailure(.invalidUTF8, at: index)
            }
        }
        return index + count
    }
}

/// The value of a hexadecimal digit.
@inline(__always) func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x37)
    case 0x61...0x66: UInt32(byte - 0x57)
    default: nil
    }
}
