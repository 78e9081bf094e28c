import TestSupport
import Testing
import XMLText

/// Names are predicted from those before them, then looked up among the latest, then among all. Each way gives the same
/// name.
struct XMLNameOrderTests {
    /// Names of 1 to 24 bytes. Those of one length differ in their first, middle or last byte only.
    private static let names: [String] =
        (1...24).flatMap { alike(length: $0) } + ["\u{E9}", "n\u{E9}", "p:n", "p:nn", "p:nnnnnnnnnnnnnn", "q:n"]

    private static func alike(length: Int) -> [String] {
        [0, length / 2, length - 1].map { position in
            var bytes = [UInt8](repeating: UInt8(ascii: "n"), count: length)
            bytes[position] = UInt8(ascii: "x")
            return String(decoding: bytes, as: UTF8.self)
        } + [String(repeating: "n", count: length)]
    }

    private static func expanded(_ name: String) -> String {
        let parts = name.split(separator: ":")
        return parts.count == 2 ? "\(parts[0] == "p" ? "u" : "v")|\(parts[1])" : name
    }

    @Test(arguments: [1, 5, 64, Int.max])
    func `names in no order are not confused`(chunk: Int) throws {
        var random = SeededRandom(seed: 20_261_128)
        let ends = [">", "/>", " >", "\n/>", "\t>"]
        var document = "<root xmlns:p='u' xmlns:q='v'>"
        var expected = "Sroot"
        for _ in 0..<2_000 {
            let name = Self.names.randomElement(using: &random) ?? ""
            let attribute = Self.names.randomElement(using: &random) ?? ""
            let end = ends.randomElement(using: &random) ?? ""
            let hasAttribute = Bool.random(using: &random)
            document += "<\(name)" + (hasAttribute ? " \(attribute)='1'" : "") + end
            document += end.hasSuffix("/>") ? "" : "</\(name)>"
            expected += "\nS\(Self.expanded(name))" + (hasAttribute ? "\nA\(Self.expanded(attribute))=1" : "")
            expected += "\nE\(Self.expanded(name))"
        }
        document += "</root>"
        expected += "\nEroot"
        let log = try EventLog.read(Array(document.utf8), chunk: chunk)
        #expect(log == Array(expected.utf8), "seed \(random.seed)")
    }

    @Test func `a name that is cut off is not one that was read`() throws {
        for name in ["n", "nnnnnnn", "nnnnnnnn", "nnnnnnnnnnnnnnn", "nnnnnnnnnnnnnnnn"] {
            let start = "<a><\(name)/><b/><\(name)/><c/><\(name)"
            #expect(EventLog.error(start)?.code == .truncated, "\(name)")
            #expect(EventLog.error(start + "\u{1}/></a>") != nil, "\(name)")
            #expect(try EventLog.text(start + "m/></a>").hasSuffix("S\(name)m\nE\(name)m\nEa"), "\(name)")
        }
    }
}
