import JSONText
import TestSupport
import Testing

/// Texts are not read where some bytes are nowhere in them.
@Suite struct UnescapedSearchTests {
    private static func mayContain(_ text: [UInt8]) -> Bool {
        text.withUnsafeBytes { UnescapedSearch.mayContain("_ab_", in: $0) }
    }

    @Test func `bytes are found wherever they are`() {
        for count in 0..<70 {
            let plain = [UInt8](repeating: UInt8(ascii: "_"), count: count)
            #expect(!Self.mayContain(plain))
            for index in 0...count {
                #expect(Self.mayContain(plain[..<index] + Array("_ab_".utf8) + plain[index...]))
                #expect(!Self.mayContain(plain[..<index] + Array("_aB_".utf8) + plain[index...]))
                #expect(!Self.mayContain(plain[..<index] + Array("_ab".utf8)))
            }
        }
    }

    @Test func `a text with an escape may have any bytes`() {
        for count in 0..<40 {
            for index in 0...count {
                var text = [UInt8](repeating: UInt8(ascii: "x"), count: count)
                #expect(!Self.mayContain(text))
                text.insert(UInt8(ascii: "\\"), at: index)
                #expect(Self.mayContain(text))
            }
        }
    }

    @Test func `bytes of any length are found, and only they`() {
        var random = SeededRandom(seed: 7)
        func letters(_ count: ClosedRange<Int>) -> [UInt8] {
            (0..<Int.random(in: count, using: &random)).map { _ in UInt8.random(in: 97...98, using: &random) }
        }
        for _ in 0..<2_000 {
            let (text, bytes) = (letters(0...80), letters(1...20))
            let isThere = text.indices.contains { text[$0...].starts(with: bytes) }
            let isFound = text.withUnsafeBytes { text in
                bytes.withUnsafeBytes { UnescapedSearch.mayContain($0, in: text) }
            }
            #expect(isFound == isThere, "\(bytes) in \(text)")
        }
    }
}
