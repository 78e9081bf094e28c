import Soups

/// Products of about 1 KB, as rows of a soup and as the answers of a service.
struct ProductRows: Sendable {
    /// A text in every product.
    static let marker = Array("product-bench-marker".utf8)
    /// How many products have one name.
    static let perName = 200

    let count: Int

    /// The members of a product.
    func members(_ number: Int) -> String {
        let price = "\(number % 1_000).\(number % 10)"
        var text =
            #""ID":\#(number + 1),"Name":"\#(name(number))","Code":\#(number % codes),"Level":\#(number % codes),"Price":\#(price),"Tags":["t\#(number % 7)","u\#(number % 11)"]"#
        text += #","Note":"product-bench-marker \#(number * 7_919 % 1_000_003) x\#(number % 97)y""#
        for field in 0..<14 {
            text += #","Field\#(field)":"product \#(1_000_000 + number) and some more text \#(field)""#
        }
        return text
    }

    private var codes: Int { max(1, count / Self.perName) }
    /// The name of a product; each is that of `perName` products, in all parts of the soup.
    func name(_ number: Int) -> String { String(UnicodeScalar(UInt8(65 + number % codes % 26))) + "\(number % codes)" }

    /// The rows as JSON, some at a time.
    func fill(_ store: (_ rows: [[UInt8]]) throws -> Void) throws {
        for start in stride(from: 0, to: count, by: 5_000) {
            try store((start..<min(start + 5_000, count)).map { Array(("{" + members($0) + "}").utf8) })
        }
    }
}
