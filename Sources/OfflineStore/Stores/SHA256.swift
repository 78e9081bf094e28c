/// Makes the digest of FIPS 180-4, for folder names of texts too long to be names themselves. Not used for keys.
struct SHA256 {
    private var state: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    /// The digest in 64 hexadecimal digits.
    static func text(of bytes: [UInt8]) -> String {
        var hash = SHA256()
        var message = bytes + [0x80]
        message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
        let bits = UInt64(bytes.count) << 3
        message += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        for start in stride(from: 0, to: message.count, by: 64) { hash.mix(message[start..<start + 64]) }
        return hash.state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private mutating func mix(_ block: ArraySlice<UInt8>) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
            block[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for place in 16..<64 {
            let a = words[place - 15]
            let b = words[place - 2]
            words.append(words[place - 16] &+ (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) &+ words[place - 7] &+ (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10))
        }
        var v = state
        for place in 0..<64 {
            let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
            let first = v[7] &+ (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) &+ choice &+ Self.constants[place] &+ words[place]
            let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
            let second = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) &+ majority
            v = [first &+ second, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
        }
        for place in 0..<8 { state[place] = state[place] &+ v[place] }
    }

    private func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes, computed exactly.
    private static let constants: [UInt32] = {
        var primes: [UInt64] = []
        var candidate: UInt64 = 2
        while primes.count < 64 {
            if !primes.contains(where: { candidate % $0 == 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes.map { prime in
            // The integer cube root of prime * 2^96, whose low 32 bits are the fraction's first.
            let target = UInt128(prime) << 96
            var root: UInt128 = 0
            for bit in (0..<36).reversed() {
                let trial = root | UInt128(1) << UInt128(bit)
                if trial * trial * trial <= target { root = trial }
            }
            return UInt32(truncatingIfNeeded: root)
        }
    }()
}
