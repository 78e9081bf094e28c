import LocalChanges
import Testing

@Suite struct IdHashTests {
    private static func hash(_ id: String, _ hashes: IdHash) -> UInt32 {
        var id = id
        return id.withUTF8 { hashes.hash(UnsafeRawBufferPointer($0)) }
    }

    @Test(arguments: ["", "001", "0015e00000AbC", "a-long-prefix-of-more-than-sixteen-bytes-"])
    func `ids that count upwards are spread as random numbers are`(prefix: String) {
        let hashes = IdHash()
        let all = (0..<65_536).map { Self.hash(prefix + String($0), hashes) }
        // Of 2 to the power of 31 hashes, one pair in 65,536 is expected to be equal.
        #expect(Set(all).count > all.count - 10)
        // Random numbers fill 1 - exp(-1/2) of twice as many places, which is 51,573 of 131,072.
        let places = Set(all.map { $0 & 131_071 }).count
        #expect(51_000 < places && places < 52_200)
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
