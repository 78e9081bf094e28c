extension ByteScanner {
    /// Skips a number (section 6: `-`? int frac? exp?) and returns whether it is written as an integer.
    @inline(__always) mutating func scanNumber() throws(ScanFailure) -> Bool {
        var index = position
        if base[index] == 0x2D {
            index += 1
        }
        guard index < end else {
            throw ScanFailure(.truncated, at: end)
        }
        let first = base[index] &- 0x30
        guard first < 10 else {
            throw ScanFailure(.invalidNumber, at: index)
        }
        index += 1
        if first == 0 {
            if index < end, base[index] &- 0x30 < 10 {
                throw ScanFailure(.invalidNumber, at: index)
            }
        } else {
            while index < end, base[index] &- 0x30 < 10 {
                index += 1
            }
        }
        guard index < end else {
            position = index
            return true
        }
        let next = base[index]
        guard next == 0x2E || next | 0x20 == 0x65 else {
            position = index
            return true
        }
        try scanFraction(from: index)
        return false
    }

    private mutating func scanFraction(from start: Int) throws(ScanFailure) {
        var index = start
        if base[index] == 0x2E {
            index = try digits(from: index + 1)
        }
        if index < end, base[index] | 0x20 == 0x65 {
            index += 1
            if index < end, base[index] == 0x2B || base[index] == 0x2D {
                index += 1
            }
            index = try digits(from: index)
        }
        position = index
    }

    @inline(__always) private func digits(from start: Int) throws(ScanFailure) -> Int {
        guard start < end else {
            throw ScanFailure(.truncated, at: end)
        }
        guard base[start] &- 0x30 < 10 else {
            throw ScanFailure(.invalidNumber, at: start)
        }
        var index = start + 1
        while index < end, base[index] &- 0x30 < 10 {
            index += 1
        }
        return index
    }
}
