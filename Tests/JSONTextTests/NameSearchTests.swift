import JSONText
import TestSupport
import Testing

/// Texts are not read where the bytes of a name are nowhere in them.
@Suite struct NameSearchTests {
    private static func mayContain(_ text: [UInt8]) -> Bool {
        text.withUnsafeBytes { NameSearch.mayContain("_ab_", in: $0) }
    }

    @Test func `a name is found wherever it is`() {
        for count in 0..<70 {
            let plain = [UInt8](repeating: UInt8(ascii: "_"), count: count)
            #expect(!Self.mayContain(plain))
            for place in 0...count {
                #expect(Self.mayContain(plain[..<place] + Array("_ab_".utf8) + plain[place...]))
                #expect(!Self.mayContain(plain[..<place] + Array("_aB_".utf8) + plain[place...]))
                #expect(!Self.mayContain(plain[..<place] + Array("_ab".utf8)))
            }
        }
    }

    @Test func `a text with an escape may have any name`() {
        for count in 0..<40 {
            for place in 0...count {
                var text = [UInt8](repeating: UInt8(ascii: "x"), count: count)
                #expect(!Self.mayContain(text))
                text.insert(UInt8(ascii: "\\"), at: place)
                #expect(Self.mayContain(text))
            }
        }
    }
}
