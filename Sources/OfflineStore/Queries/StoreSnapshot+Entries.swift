package import Soups

extension StoreSnapshot {
    /// Lends the entries of ids to a closure, in the order of the ids, until it returns false. Ids without an entry are
    /// left out. The closure must not read entries of the soup.
    package func entries(
        _ ids: some Sequence<Int64>, of soup: String, _ show: (Int64, UnsafeRawBufferPointer) throws(Fault) -> Bool
    ) throws(Fault) {
        let retrieval = try session.retrieval(of: soup)
        for id in ids {
            let goesOn = try retrieval.lend(id) { (text) throws(Fault) in try show(id, text) }
            guard goesOn ?? true else { return }
        }
    }
}
