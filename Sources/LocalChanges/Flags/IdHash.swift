/// The hashes of ids, under keys that are drawn for each process, so that no service can choose ids that collide.
///
/// Each eight bytes cost one multiplication, because the ids of records are short and each is hashed.
package struct IdHash: Sendable {
    private let seed: UInt64
    private let wordKey: UInt64
    private let stateKey: UInt64

    /// Draws the keys. They are the same in each process only where Swift's own hashing is made deterministic.
    package init() {
        self.init(seed: Self.key(1), wordKey: Self.key(2), stateKey: Self.key(3))
    }

    /// Takes keys, so that a test can try those under which ids were once spread badly.
    package init(seed: UInt64, wordKey: UInt64, stateKey: UInt64) {
        self.seed = seed
        self.wordKey = wordKey
        self.stateKey = stateKey
    }

    /// The hash of an id's bytes; never 0.
    package func hash(_ id: UnsafeRawBufferPointer) -> UInt32 {
        var state = seed ^ UInt64(id.count)
        var offset = 0
        while offset + 8 <= id.count {
            state = mixed(id.loadUnaligned(fromByteOffset: offset, as: UInt64.self), state)
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < id.count {
            rest = rest << 8 | UInt64(id[offset])
            offset += 1
        }
        return finished(mixed(rest, state))
    }

    /// The upper half of a last product.
    ///
    /// One multiplication by a key is not enough: under about one key in 200, the lower bits of ids that count upwards
    /// were equal too often. Every lower bit of the first product reaches the bits that this one keeps.
    private func finished(_ state: UInt64) -> UInt32 {
        let product = (state ^ state >> 32) &* 0x9e37_79b9_7f4a_7c15
        return UInt32(truncatingIfNeeded: product >> 32) | 1 << 31
    }

    /// The exclusive or of both halves of a product of 128 bits, in which all bits of the operands count.
    private func mixed(_ word: UInt64, _ state: UInt64) -> UInt64 {
        let product = (word ^ wordKey).multipliedFullWidth(by: state ^ stateKey)
        return product.high ^ product.low
    }

    private static func key(_ number: Int) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(number)
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }
}
