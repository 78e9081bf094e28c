import Soups
import Testing

@testable import Benchmarking

struct DigestTests {
    /// The examples of FIPS 180-2 and of NIST's short messages.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 1_000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func `hashes are those of the standard`(text: String, hash: String) {
        #expect(SHA256.hex(Array(text.utf8)) == hash)
    }

    @Test func `pieces hash as the whole`() {
        let bytes = (0..<500).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for piece in [1, 3, 55, 56, 63, 64, 65, 127, 128, 499] {
            var hash = SHA256()
            for start in stride(from: 0, to: bytes.count, by: piece) {
                hash.update(Array(bytes[start..<min(start + piece, bytes.count)]))
            }
            #expect(hash.hexDigest() == SHA256.hex(bytes))
        }
    }

    private func digest(_ entries: [String]) -> String {
        var digest = ContentDigest()
        for entry in entries {
            digest.add(entry: Array(entry.utf8))
        }
        return digest.hex
    }

    @Test func `only the date of the last change is left out`() {
        let entry = #"{"a":"x","_soupEntryId":7,"_soupLastModifiedDate":1700000000001}"#
        let later = #"{"a":"x","_soupEntryId":7,"_soupLastModifiedDate":1700000999999}"#
        #expect(digest([entry]) == digest([later]))
        let other = #"{"a":"x","_soupEntryId":8,"_soupLastModifiedDate":1700000000001}"#
        #expect(digest([entry]) != digest([other]))
        // The name inside a text is not a field.
        let text = #"{"a":"\"_soupLastModifiedDate\":1","b":1}"#
        #expect(digest([text]) != digest([#"{"a":"\"_soupLastModifiedDate\":2","b":1}"#]))
    }

    @Test func `every flipped byte changes the digest`() {
        let entry = Array(#"{"a":"x","_soupEntryId":7,"_soupLastModifiedDate":17,"z":[1,2]}"#.utf8)
        var whole = ContentDigest()
        whole.add(entry: entry)
        let before = #"{"a":"x","_soupEntryId":7,"_soupLastModifiedDate":"#.utf8.count
        let date = before..<before + 2
        for index in entry.indices where !date.contains(index) {
            var flipped = entry
            flipped[index] ^= 1
            var digest = ContentDigest()
            digest.add(entry: flipped)
            #expect(digest.hex != whole.hex, "byte \(index)")
        }
    }

    @Test func `borders of rows count`() {
        #expect(digest(["ab", "c"]) != digest(["a", "bc"]))
        #expect(digest(["a", "b"]) != digest(["b", "a"]))
    }
}
