import XMLText

/// Invalid and hostile documents, with the tokenizer's result for each and whether expat also accepts or refuses it.
struct HostileDocument: Sendable {
    let name: String
    let bytes: [UInt8]
    /// The code of the error; nil if the document is accepted.
    let code: XMLError.Code?
    /// The reason why expat has another result, if it has.
    let difference: String?

    init(_ name: String, _ text: String, _ code: XMLError.Code?, differs difference: String? = nil) {
        self.init(name, Array(text.utf8), code, differs: difference)
    }

    init(_ name: String, _ bytes: [UInt8], _ code: XMLError.Code?, differs difference: String? = nil) {
        self.name = name
        self.bytes = bytes
        self.code = code
        self.difference = difference
    }

    private static let laughs = (1...9).map {
        "<!ENTITY l\($0) '" + String(repeating: "&l\($0 - 1);", count: 10) + "'>"
    }.joined()
    private static func around(_ bytes: [UInt8]) -> [UInt8] { Array("<a>".utf8) + bytes + Array("</a>".utf8) }
    private static func utf16(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }

    static let all: [HostileDocument] = [
        HostileDocument("billion laughs", "<!DOCTYPE a [<!ENTITY l0 'lol'>\(laughs)]><a>&l9;</a>", .doctypeForbidden),
        HostileDocument(
            "external entity", "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>A&x;B</a>", .doctypeForbidden,
            differs: "expat reads it and leaves the entity out; a DOCTYPE is refused here"),
        HostileDocument(
            "external parameter entity", "<!DOCTYPE a [<!ENTITY % x SYSTEM 'http://localhost/x'> %x;]><a/>",
            .doctypeForbidden,
            differs: "expat does not load it; a DOCTYPE is refused here"),
        HostileDocument(
            "internal entity", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", .doctypeForbidden,
            differs: "a DOCTYPE is refused here"),
        HostileDocument(
            "a DOCTYPE without anything", "<!DOCTYPE a><a/>", .doctypeForbidden, differs: "a DOCTYPE is refused here"),
        HostileDocument(
            "depth 1,000", String(repeating: "<a>", count: 1_000) + String(repeating: "</a>", count: 1_000),
            .limitExceeded,
            differs: "expat has no limit of depth"),
        HostileDocument(
            "depth 100,000", String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000),
            .limitExceeded,
            differs: "expat has no limit of depth"),
        HostileDocument(
            "depth 101", String(repeating: "<a>", count: 101) + String(repeating: "</a>", count: 101), .limitExceeded,
            differs: "expat has no limit of depth"),
        HostileDocument("depth 100", String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100), nil),
        HostileDocument(
            "100,000 attributes", "<a " + (0..<100_000).map { "a\($0)='' " }.joined() + "/>", .limitExceeded,
            differs: "expat has no limit of attributes"),
        HostileDocument(
            "an attribute of 2 MB", "<a b='" + String(repeating: "x", count: 2_000_000) + "'/>", .limitExceeded,
            differs: "expat has no limit of attribute size"),
        HostileDocument(
            "a name of 2 KB", "<" + String(repeating: "x", count: 2_000) + "/>", .limitExceeded,
            differs: "expat has no limit of name size"),
        HostileDocument("invalid UTF-8", around([0xFF]), .invalidText),
        HostileDocument("overlong UTF-8", around([0xC0, 0xAF]), .invalidText),
        HostileDocument("overlong UTF-8 of three bytes", around([0xE0, 0x80, 0xAF]), .invalidText),
        HostileDocument("a surrogate in UTF-8", around([0xED, 0xA0, 0x80]), .invalidText),
        HostileDocument("U+FFFE", around([0xEF, 0xBF, 0xBE]), .invalidText),
        HostileDocument("U+FFFF", around([0xEF, 0xBF, 0xBF]), .invalidText),
        HostileDocument("above U+10FFFF", around([0xF4, 0x90, 0x80, 0x80]), .invalidText),
        HostileDocument("a sequence cut by markup", around([0xE2, 0x82]), .invalidText),
        HostileDocument("a NUL", around([0]), .invalidText),
        HostileDocument("a control character", around([0x1B]), .invalidText),
        HostileDocument("a reference to NUL", "<a>&#0;</a>", .invalidText),
        HostileDocument("a reference to a surrogate", "<a>&#xD800;</a>", .invalidText),
        HostileDocument("a reference beyond Unicode", "<a>&#x110000;</a>", .invalidText),
        HostileDocument(
            "a reference of a million digits", "<a>&#" + String(repeating: "9", count: 1_000_000) + ";</a>",
            .invalidText),
        HostileDocument("an undefined entity", "<a>&nbsp;</a>", .syntax),
        HostileDocument("an entity without its end", "<a>&amp</a>", .syntax),
        HostileDocument("a bare ampersand", "<a>a & b</a>", .syntax),
        HostileDocument("a tag sign in an attribute", "<a b='<'/>", .syntax),
        HostileDocument("the same attribute twice", "<a b='' b=''/>", .syntax),
        HostileDocument("the same expanded attribute twice", "<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>", .syntax),
        HostileDocument("an unbound prefix", "<p:a/>", .namespace),
        HostileDocument("two roots", "<a/><b/>", .syntax),
        HostileDocument("text behind the root", "<a/>x", .syntax),
        HostileDocument("nothing", "", .truncated),
        HostileDocument("white space only", " \n", .truncated),
        HostileDocument("crossed tags", "<a><b></a></b>", .syntax),
        HostileDocument("cut in a tag", "<a><b c='", .truncated),
        HostileDocument("cut in a section", "<a><![CDATA[x]]", .truncated),
        HostileDocument("the end of a section in text", "<a>]]></a>", .syntax),
        HostileDocument("UTF-16 with a byte order mark", [0xFF, 0xFE] + utf16("<a>\u{E9}</a>"), nil),
        HostileDocument(
            "UTF-16 with a lone surrogate", [0xFF, 0xFE] + utf16("<a>") + [0x00, 0xD8] + utf16("</a>"), .invalidText),
        HostileDocument(
            "UTF-16 declared as UTF-8", [0xFF, 0xFE] + utf16("<?xml version='1.0' encoding='utf-8'?><a/>"), .encoding),
        HostileDocument("ISO-8859-1", Array("<?xml version='1.0' encoding='iso-8859-1'?>".utf8) + around([0xE9]), nil),
        HostileDocument(
            "windows-1252", Array("<?xml version='1.0' encoding='windows-1252'?>".utf8) + around([0x80]), nil),
    ]
}
