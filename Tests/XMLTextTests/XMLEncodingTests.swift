import Testing
import XMLText

struct XMLEncodingTests {
    static let text = "<?xml version='1.0'?><a b='\u{E9}'>\u{20AC}\u{10348}x</a>"
    static let log = "Sa\nAb=\u{E9}\nT\u{20AC}\u{10348}x\nEa"

    static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { bigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    @Test(arguments: [1, 2, 3, 7, Int.max]) func `byte order marks are read`(chunk: Int) throws {
        let documents = [
            [0xEF, 0xBB, 0xBF] + Array(Self.text.utf8), [0xFE, 0xFF] + Self.utf16(Self.text, bigEndian: true),
            [0xFF, 0xFE] + Self.utf16(Self.text, bigEndian: false), Self.utf16(Self.text, bigEndian: true),
            Self.utf16(Self.text, bigEndian: false),
        ]
        for document in documents {
            #expect(String(decoding: try EventLog.read(document, chunk: chunk), as: UTF8.self) == Self.log)
        }
    }

    @Test func `one byte encodings are read`() throws {
        let latin1 = Array("<?xml version='1.0' encoding='iso-8859-1'?><a>".utf8) + [0xE9, 0x80] + Array("</a>".utf8)
        #expect(try EventLog.read(latin1) == Array("Sa\nT\u{E9}\u{80}\nEa".utf8))
        let windows =
            Array("<?xml version='1.0' encoding=\"Windows-1252\"?><a>".utf8) + [0xE9, 0x80] + Array("</a>".utf8)
        #expect(try EventLog.read(windows) == Array("Sa\nT\u{E9}\u{20AC}\nEa".utf8))
    }

    @Test func `offsets count the bytes as given`() {
        let latin1 = Array("<?xml version='1.0' encoding='iso-8859-1'?><a>".utf8) + [0xE9, 0xE9] + Array("</b>".utf8)
        #expect(EventLog.error(latin1, chunk: 5)?.offset == 48)
        let wide = [0xFE, 0xFF] + Self.utf16("<a>\u{10348}\u{20AC}&x;</a>", bigEndian: true)
        #expect(EventLog.error(wide, chunk: 3)?.offset == 2 + 2 * 6)
        #expect(EventLog.error([0xEF, 0xBB, 0xBF] + Array("<a></b>".utf8))?.offset == 6)
    }

    @Test func `what the encoding does not have is an error`() {
        let documents: [([UInt8], XMLError.Code)] = [
            ([UInt8]("<a>".utf8) + [0xC3, 0x28] + Array("</a>".utf8), .invalidText),
            ([UInt8]("<a>".utf8) + [0xC0, 0x80] + Array("</a>".utf8), .invalidText),
            ([UInt8]("<a>".utf8) + [0xED, 0xA0, 0x80] + Array("</a>".utf8), .invalidText),
            ([UInt8]("<a>".utf8) + [0xEF, 0xBF, 0xBE] + Array("</a>".utf8), .invalidText),
            ([UInt8]("<a>".utf8) + [0xF4, 0x90, 0x80, 0x80] + Array("</a>".utf8), .invalidText),
            (
                Array("<?xml version='1.0' encoding='windows-1252'?><a>".utf8) + [0x81] + Array("</a>".utf8),
                .invalidText
            ),
            (Array("<?xml version='1.0' encoding='us-ascii'?><a>".utf8) + [0xE9] + Array("</a>".utf8), .invalidText),
            ([0xFE, 0xFF] + Self.utf16("<a>", bigEndian: true) + [0xD8, 0x00, 0x00, 0x3C], .invalidText),
            (Array("<?xml version='1.0' encoding='utf-7'?><a/>".utf8), .encoding),
            (Array("<?xml version='1.0' encoding='utf-16'?><a/>".utf8), .encoding),
            ([0xFE, 0xFF] + Self.utf16("<?xml version='1.0' encoding='utf-8'?><a/>", bigEndian: true), .encoding),
            ([0xEF, 0xBB, 0xBF] + Array("<?xml version='1.0' encoding='iso-8859-1'?><a/>".utf8), .encoding),
            ([0xFE, 0xFF] + Self.utf16("<a/>", bigEndian: true) + [0x00], .truncated),
        ]
        for (index, (document, code)) in documents.enumerated() {
            #expect(EventLog.error(document)?.code == code, "document \(index)")
        }
    }

    @Test func `what the caller knows outweighs the declaration`() throws {
        let document = Array("<?xml version='1.0' encoding='iso-8859-1'?><a>\u{E9}</a>".utf8)
        #expect(try EventLog.read(document, encoding: .utf8) == Array("Sa\nT\u{E9}\nEa".utf8))
    }

    @Test func `declarations are read`() {
        for good in [
            "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><a/>", "<?xml\nversion = \"1.0\"?><a/>",
            "<?xml version='1.1'?><a/>",
            "<?xml-stylesheet href='x'?><a/>", "<?xmlx?><a/>",
        ] {
            #expect(EventLog.error(good) == nil, "\(good)")
        }
        for bad in [
            "<?xml?><a/>", "<?xml encoding='utf-8'?><a/>", "<?xml version='2.0'?><a/>",
            "<?xml version='1.0' standalone='maybe'?><a/>",
            "<?xml version='1.0'encoding='utf-8'?><a/>", "<?xml version='1.0' x='1'?><a/>", "<?xml version='1.0'><a/>",
            "<?XML version='1.0'?><a/>",
            "<?xml version='1.0' standalone='no' encoding='utf-8'?><a/>", "<?xml version=1.0?><a/>",
        ] {
            #expect(EventLog.error(bad)?.code == .syntax, "\(bad) \(String(describing: EventLog.error(bad)))")
        }
    }
}
