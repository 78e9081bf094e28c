/// The link of an answer to its next page. It is followed as the service gave it, after a check that it leads nowhere
/// else.
struct NextLink: Sendable, Hashable {
    let text: String

    /// - Parameter former: The link that was followed to this answer; nil for the first page.
    init(_ text: String, after former: NextLink?) throws(WrongForm) {
        let bytes = text.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/"),
            bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "\\") })
        else { throw WrongForm("the link to the next page is no path") }
        guard former.map({ !$0.text.utf8.elementsEqual(bytes) }) ?? true else {
            throw WrongForm("the link to the next page leads to the same page")
        }
        self.text = text
    }

    var path: String { String(text.prefix { $0 != "?" }) }

    /// The part behind the question mark; nil without one.
    var query: String? {
        text.firstIndex(of: "?").map { String(text[text.index(after: $0)...]) }
    }
}
