/// Looks up the soups of a store. Query translation uses this protocol, so that it does not depend on a store.
public protocol SoupCatalogue {
    /// The soup with a name, compared by bytes; `nil` if the store has no such soup.
    func soup(named name: String) throws(Fault) -> RegisteredSoup?
}
