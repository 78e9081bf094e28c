/// Writes integers as decimal digits.
package enum DecimalWriter {
    /// The most characters of an integer of 64 bits: 19 digits and a sign.
    private static let greatestLength = 20

    package static func append(_ value: Int64, to output: inout [UInt8]) {
        withUnsafeTemporaryAllocation(byteCount: greatestLength, alignment: 1) { text in
            // The last digit is found first. All are appended at once, because each append checks for room.
            var start = greatestLength
            var rest = value.magnitude
            repeat {
                start -= 1
                text[start] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
                rest /= 10
            } while rest > 0
            if value < 0 {
                start -= 1
                text[start] = 0x2D
            }
            output.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start...]))
        }
    }
}
