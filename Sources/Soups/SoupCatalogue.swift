/// Answers what soups a store has; whoever translates queries asks it, so that translation needs no store.
public protocol SoupCatalogue {
    /// The soup of that name, compared by bytes; nil where there is none.
    func soup(named name: String) throws(Fault) -> RegisteredSoup?
}
