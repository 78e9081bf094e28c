import JSONText
import Testing

/// Truncates small texts and removes bytes from them. All readers must return the same value or typed error.
@Suite struct DamagedTextTests {
    private static let samples = [
        #" {"a":{"b":[1,-2.50e+3,{"c":null}]},"\u0061\ud83d\ude00":"é\n漢😀\u0000","t":true,"f":false,"":{}} "#,
        #"[[[],{}],"\\\"\/\b\f\n\r\t\u00e9",0,-0,0.1,1E400,12345678901234567890]"#,
        #"{"c":[{"d":1},{"d":[2,3]},[{"d":"x"}],null,"y"],"_soupEntryId":7,"a":[{"b":{"x":"longer than sixteen bytes, twice over"}}]}"#,
    ]

    @Test(arguments: samples) func `every prefix is truncated and nothing else`(sample: String) {
        let bytes = Array(sample.utf8)
        let whole = bytes.count - (bytes.last == 0x20 ? 1 : 0)
        for length in 0..<whole {
            let verdict = JSONReaders.verdict(of: Array(bytes.prefix(length)))
            guard case .refused(let error) = verdict else {
                Issue.record("accepted \(length) bytes")
                continue
            }
            #expect(error.code == .truncated, "\(length) bytes")
            #expect(error.offset == length)
        }
        #expect(JSONReaders.verdict(of: bytes) == .accepted)
    }

    @Test(arguments: samples) func `every byte taken out gives a value or an error`(sample: String) {
        let bytes = Array(sample.utf8)
        for index in bytes.indices {
            var damaged = bytes
            damaged.remove(at: index)
            if case .refused(let error) = JSONReaders.verdict(of: damaged) {
                #expect((0...damaged.count).contains(error.offset))
            }
        }
    }

    @Test(arguments: samples) func `every byte replaced gives a value or an error`(sample: String) {
        let bytes = Array(sample.utf8)
        for index in bytes.indices {
            for byte: UInt8 in [0x00, 0x1F, 0x20, 0x22, 0x2C, 0x5C, 0x5D, 0x7D, 0x80, 0xC0, 0xED, 0xF5, 0xFF] {
                var damaged = bytes
                damaged[index] = byte
                if case .refused(let error) = JSONReaders.verdict(of: damaged) {
                    #expect((0...damaged.count).contains(error.offset))
                }
            }
        }
    }

    @Test(
        arguments: [
            [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80],
            [0x80], [0xBF], [0xFE], [0xFF], [0xC2, 0x41],
            [0xE1, 0x80, 0x41], [0xF1, 0x80, 0x80, 0x41], [0xE1, 0x41, 0x80],
        ] as [[UInt8]])
    func `broken UTF-8 is found anywhere`(bytes: [UInt8]) {
        for lead in [0, 1, 7, 8, 14, 15, 16, 17, 31, 32, 33] {
            for filler in ["x", "é", "漢", "😀"] {
                let before = Array(String(repeating: filler, count: lead).utf8)
                for text in [
                    [0x22] + before + bytes + Array("yyyyyyyyyyyyyyyyyyyyyyyy\"".utf8),
                    Array("{\"".utf8) + before + bytes + Array("\":1}".utf8),
                ] {
                    guard case .refused(let error) = JSONReaders.verdict(of: text) else {
                        Issue.record("accepted \(bytes) after \(lead) characters")
                        continue
                    }
                    #expect(error.code == .invalidText)
                    #expect(error.offset == (text[0] == 0x22 ? 1 : 2) + before.count)
                }
            }
        }
    }

    @Test(arguments: [
        "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "\u{7F}",
    ])
    func `the ends of UTF-8 are accepted`(character: String) {
        for lead in 0..<34 {
            #expect(
                JSONReaders.verdict(of: Array("\"\(String(repeating: "x", count: lead))\(character)\"".utf8))
                    == .accepted)
        }
    }
}
