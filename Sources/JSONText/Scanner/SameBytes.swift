/// Compares bytes, eight at a time.
package enum SameBytes {
    @inline(__always) package static func compare(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int
    ) -> Bool {
        guard count >= 8 else {
            return compareShort(a, b, count)
        }
        // The last eight bytes overlap the ones before.
        let last = count &- 8
        var offset = 0
        var differences: UInt64 = 0
        while offset < last {
            differences |= eight(a + offset) ^ eight(b + offset)
            offset &+= 8
        }
        return differences | (eight(a + last) ^ eight(b + last)) == 0
    }

    @inline(__always) private static func compareShort(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int
    ) -> Bool {
        for index in 0..<count where a[index] != b[index] {
            return false
        }
        return true
    }

    @inline(__always) private static func eight(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
        UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
    }
}
