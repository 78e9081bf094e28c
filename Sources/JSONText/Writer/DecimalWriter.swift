/// Writes integers as decimal digits.
package enum DecimalWriter {
    package static func append(_ value: Int64, to output: inout [UInt8]) {
        if value < 0 {
            output.append(0x2D)
        }
        let start = output.count
        var rest = value.magnitude
        repeat {
            output.append(UInt8(truncatingIfNeeded: 0x30 + rest % 10))
            rest /= 10
        } while rest > 0
        // The digits are in reverse order. They are swapped in a loop, because reversing a slice would copy it.
        var (left, right) = (start, output.count - 1)
        while left < right {
            output.swapAt(left, right)
            left += 1
            right -= 1
        }
    }
}
