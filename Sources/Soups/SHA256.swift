/// SHA-256 by FIPS 180-4. It is used to name folders, corpora, definitions and answers, not for security. For this
/// package only.
///
/// Add bytes in any number of pieces; the digest is that of all bytes in order. O(n) in the number of bytes, without
/// allocations.
package struct SHA256: Sendable {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var schedule = [UInt32](repeating: 0, count: 64)
    private var pending: [UInt8] = []
    private var total: UInt64 = 0

    package init() { pending.reserveCapacity(64) }

    package static func hex(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.hexDigest()
    }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        total &+= UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let part = rest.prefix(64 - pending.count)
            pending.append(contentsOf: part)
            rest = rest.dropFirst(part.count)
            guard pending.count == 64 else { return }
            pending.withUnsafeBytes { Self.compress(&state, &schedule, $0, from: 0) }
            pending.removeAll(keepingCapacity: true)
        }
        var index = rest.startIndex
        while rest.endIndex - index >= 64 {
            Self.compress(&state, &schedule, bytes, from: index)
            index += 64
        }
        pending.append(contentsOf: bytes[index..<rest.endIndex])
    }

    /// The digest of the bytes so far. More bytes may be added after it.
    package func digest() -> [UInt8] {
        var copy = self
        let bits = total &* 8
        var tail: [UInt8] = [0x80]
        let used = (pending.count + 1) % 64
        tail.append(contentsOf: [UInt8](repeating: 0, count: (used <= 56 ? 56 : 120) - used))
        tail.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) })
        copy.update(tail)
        return copy.state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
    }

    package func hexDigest() -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func compress(
        _ state: inout [UInt32], _ schedule: inout [UInt32], _ bytes: UnsafeRawBufferPointer, from start: Int
    ) {
        // Buffers instead of arrays, and shifts that are not checked, because this loop dominates the cost, also in the
        // unoptimized builds of tests.
        state.withUnsafeMutableBufferPointer { state in
            schedule.withUnsafeMutableBufferPointer { w in
                roundConstants.withUnsafeBufferPointer { k in
                    for i in 0..<16 {
                        w[i] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 4 * i, as: UInt32.self))
                    }
                    for i in 16..<64 {
                        let a = w[i - 15]
                        let b = w[i - 2]
                        let s0 = (a &>> 7 | a &<< 25) ^ (a &>> 18 | a &<< 14) ^ (a &>> 3)
                        let s1 = (b &>> 17 | b &<< 15) ^ (b &>> 19 | b &<< 13) ^ (b &>> 10)
                        w[i] = w[i - 16] &+ s0 &+ w[i - 7] &+ s1
                    }
                    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
                    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
                    for i in 0..<64 {
                        let s1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
                        let choice = (e & f) ^ (~e & g)
                        let one = h &+ s1 &+ choice &+ k[i] &+ w[i]
                        let s0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
                        let majority = (a & b) ^ (a & c) ^ (b & c)
                        let two = s0 &+ majority
                        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ one, c, b, a, one &+ two)
                    }
                    state[0] &+= a
                    state[1] &+= b
                    state[2] &+= c
                    state[3] &+= d
                    state[4] &+= e
                    state[5] &+= f
                    state[6] &+= g
                    state[7] &+= h
                }
            }
        }
    }

    private static let roundConstants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
        0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
        0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
        0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3,
        0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
        0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
