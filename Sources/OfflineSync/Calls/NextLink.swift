import LocalChanges
import Soups
import Synchronization

/// The link of an answer to its next page. It is followed as the service gave it, after a check that it leads nowhere
/// else.
struct NextLink: Sendable {
    let text: String
    private let trail: Trail

    /// - Parameter former: The link that was followed to this answer; nil for the first page.
    init(_ text: String, after former: NextLink?) throws(WrongForm) {
        let bytes = text.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/"),
            bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "\\") })
        else { throw WrongForm("the link to the next page is not a path") }
        let trail = former?.trail ?? Trail()
        try trail.add(text)
        self.text = text
        self.trail = trail
    }

    var path: String { String(text.prefix { $0 != "?" }) }

    /// The part after the question mark; nil without one.
    var query: String? {
        text.firstIndex(of: "?").map { String(text[text.index(after: $0)...]) }
    }

    /// Notes whether the page that names this link has records.
    ///
    /// - Throws: after too many pages in a row without any.
    func note(pageIsEmpty: Bool) throws(WrongForm) {
        guard trail.note(pageIsEmpty: pageIsEmpty) <= Self.greatestEmptyRun else { throw WrongForm.tooManyEmptyPages }
    }

    /// The most pages without a record in a row, each with a link to the next one.
    static let greatestEmptyRun = 1_000

    /// The links of one query so far. A service whose links lead in a circle would be read for ever.
    private final class Trail: Sendable {
        private let state = Mutex((links: IdSet(), emptyPages: 0))

        /// Adds a link, which must be a new one.
        func add(_ link: String) throws(WrongForm) {
            let isNew = state.withLock { state -> Bool? in
                let count = state.links.count
                do throws(Fault) {
                    try state.links.insert(link)
                } catch {
                    return nil
                }
                return state.links.count > count
            }
            switch isNew {
            case true?: break
            case false?: throw WrongForm("the link to the next page leads to a page that was read before")
            case nil: throw WrongForm("the links to further pages are too long", isLimit: true)
            }
        }

        /// Returns the number of pages without a record up to this one.
        func note(pageIsEmpty: Bool) -> Int {
            state.withLock { state in
                state.emptyPages = pageIsEmpty ? state.emptyPages + 1 : 0
                return state.emptyPages
            }
        }
    }
}
