import OData
import Soups

/// A small body that would need many resources. Each must give a fault quickly. `ci/payload-speed/run --bombs` measures
/// the time in a release build.
struct PayloadBomb {
    let name: String
    let version: ODataVersion
    /// The allowed codes.
    let codes: [Fault.Code]
    let body: [UInt8]

    init(_ name: String, _ version: ODataVersion, _ codes: Fault.Code..., body: [UInt8]) {
        self.name = name
        self.version = version
        self.codes = codes
        self.body = body
    }

    init(_ name: String, _ version: ODataVersion, _ codes: Fault.Code..., text: String) {
        self.name = name
        self.version = version
        self.codes = codes
        body = Array(text.utf8)
    }

    private static let namespaces =
        "xmlns=\"http://www.w3.org/2005/Atom\" xmlns:d=\"http://schemas.microsoft.com/ado/2007/08/dataservices\" xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\""

    private static func atom(_ property: String) -> String {
        "<feed \(namespaces)><entry><content type=\"application/xml\"><m:properties>\(property)</m:properties></content></entry></feed>"
    }

    private static func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    static var all: [PayloadBomb] {
        [
            PayloadBomb(
                "XML 100,000 deep", .v2, .limitExceeded, text: "<feed \(namespaces)>" + times("<entry>", 100_000)),
            PayloadBomb(
                "a million attributes", .v2, .limitExceeded,
                text: "<feed \(namespaces)" + (0..<1_000_000).map { " a\($0)=''" }.joined() + "/>"),
            PayloadBomb(
                "100,000 different names", .v2, .limitExceeded,
                text: "<feed \(namespaces)><entry>" + (0..<100_000).map { "<a\($0)/>" }.joined() + "</entry></feed>"),
            PayloadBomb(
                "entities that expand", .v2, .doctypeForbidden,
                text: "<!DOCTYPE l [<!ENTITY a 'lol'><!ENTITY b '&a;&a;&a;'>]><feed>&b;</feed>"),
            PayloadBomb(
                "an external entity", .v2, .doctypeForbidden,
                text: "<!DOCTYPE l [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><feed>&a;</feed>"),
            PayloadBomb("a name of 1 MB", .v2, .limitExceeded, text: "<" + times("a", 1_000_000)),
            PayloadBomb(
                "a decimal of 1 MB in Atom", .v2, .invalidLiteral,
                text: atom("<d:A m:type=\"Edm.Decimal\">\(times("9", 1_000_000))</d:A>")),
            PayloadBomb(
                "an integer of 1 MB in Atom", .v2, .invalidLiteral,
                text: atom("<d:A m:type=\"Edm.Int64\">\(times("0", 1_000_000))x</d:A>")),
            PayloadBomb(
                "a far exponent in Atom", .v2, .invalidLiteral,
                text: atom("<d:A m:type=\"Edm.Double\">1e999999999</d:A>")),
            PayloadBomb(
                "no UTF-8 in Atom", .v2, .invalidXML,
                body: Array(atom("<d:A>").utf8.dropLast(60)) + [0x61, 0xC0, 0xAF] + Array("</d:A>".utf8)),
            PayloadBomb("arrays 100,000 deep", .v4, .limitExceeded, text: times("[", 100_000)),
            PayloadBomb("objects 100,000 deep", .v4, .limitExceeded, text: "{\"value\":[" + times("{\"a\":", 100_000)),
            PayloadBomb("a number of 1 MB", .v4, .invalidLiteral, text: "{\"A\":\(times("9", 1_000_000))}"),
            PayloadBomb(
                "a fraction of 1 MB", .v4, .invalidLiteral,
                text: "{\"A@odata.type\":\"#Decimal\",\"A\":0.\(times("1", 1_000_000))}"),
            PayloadBomb(
                "a far exponent", .v4, .invalidLiteral, text: "{\"A@odata.type\":\"#Decimal\",\"A\":1e999999999}"),
            PayloadBomb(
                "100,000 members", .v4, .limitExceeded,
                text: "{\"value\":[{" + (0..<100_000).map { "\"a\($0)\":1" }.joined(separator: ",") + "}]}"),
            PayloadBomb(
                "no UTF-8 in JSON", .v4, .invalidJSON,
                body: Array("{\"value\":[{\"A\":\"".utf8) + [0xED, 0xA0, 0x80] + Array("\"}]}".utf8)),
            // Three bytes and then zeros, each of which means 1,032 spaces.
            PayloadBomb("a packed body that grows a thousandfold", .v4, .limitExceeded, body: packedBlanks),
        ]
    }

    private static let packedBlanks: [UInt8] =
        [
            0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xEC, 0xC1, 0x81, 0, 0, 0, 0, 0x80, 0x20, 0x95, 0xFD, 0x29,
            0x17, 0xA9, 0x0A,
        ]
        + [UInt8](repeating: 0, count: 4_000)

    /// The fault of reading it; nil if it is read.
    func fault() -> Fault? {
        do throws(Fault) {
            var reader = ODataPayloadReader(options: PayloadOptions(version: version))
            try reader.append(body)
            try reader.finish()
            while true {
                if case .end = try reader.next() {
                    return nil
                }
            }
        } catch {
            return error
        }
    }
}
