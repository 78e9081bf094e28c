import LocalChanges
import Testing

@Suite struct IdHashTests {
    private static func hash(_ id: String, _ hashes: IdHash) -> UInt32 {
        var id = id
        return id.withUTF8 { hashes.hash(UnsafeRawBufferPointer($0)) }
    }

    @Test(arguments: ["", "001", "0015e00000AbC", "a-long-prefix-of-more-than-sixteen-bytes-"])
    func `ids that count upwards are spread as random numbers are`(prefix: String) {
        Self.expectSpread(of: prefix, IdHash())
    }

    /// Under each of these keys one product alone filled fewer than 48,000 of the 131,072 buckets below.
    @Test(
        arguments: [
            (0xfacd_2012_0440_cfac, 0xb0e6_3d0f_8f01_c27b, 0x9712_2c35_a640_3c81),
            (0x8f8b_1306_6586_0783, 0x31ea_0041_1d07_b4e3, 0x8d7d_dbcc_697e_d080),
            (0x76b3_6782_e176_5719, 0xd9bb_5ef2_d650_ba01, 0xb254_e7d2_fa6e_e8ed),
            (0x5280_3dc0_1779_fdd9, 0xe35d_54d1_d4ed_a671, 0x1081_f1e9_a287_c1fe),
        ] as [(UInt64, UInt64, UInt64)])
    func `ids that count upwards are spread under keys that one product is weak with`(
        seed: UInt64, wordKey: UInt64, stateKey: UInt64
    ) {
        Self.expectSpread(of: "", IdHash(seed: seed, wordKey: wordKey, stateKey: stateKey))
    }

    private static func expectSpread(of prefix: String, _ hashes: IdHash) {
        let all = (0..<65_536).map { hash(prefix + String($0), hashes) }
        // Of 2 to the power of 31 hashes, one pair in 65,536 is expected to be equal.
        #expect(Set(all).count > all.count - 10, "\(hashes)")
        // Random numbers fill 1 - exp(-1/2) of twice as many buckets: 51,573 of 131,072, with a deviation of 85.
        let filled = Set(all.map { $0 & 131_071 }).count
        #expect(51_000 < filled && filled < 52_200, "\(hashes)")
    }

    @Test func `each byte and the length of an id count`() {
        let hashes = IdHash()
        for length in 0...40 {
            let bytes = [UInt8](repeating: 0x61, count: length)
            var all: Set<UInt32> = [Self.hash(String(decoding: bytes, as: UTF8.self), hashes)]
            for index in bytes.indices {
                var changed = bytes
                changed[index] = 0x62
                all.insert(Self.hash(String(decoding: changed, as: UTF8.self), hashes))
            }
            #expect(all.count == length + 1)
            #expect(all.allSatisfy { $0 != 0 })
        }
        #expect(Self.hash("\u{0}", hashes) != Self.hash("", hashes))
    }

    @Test func `a hash of one process is the same each time`() {
        let hashes = IdHash()
        #expect(Self.hash("0015e00000AbCdEfGh", hashes) == Self.hash("0015e00000AbCdEfGh", hashes))
        // The keys are drawn for the process, and not for each value.
        #expect(Self.hash("a", IdHash()) == Self.hash("a", IdHash()))
    }
}
