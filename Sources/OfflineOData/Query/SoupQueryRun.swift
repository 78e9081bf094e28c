import OData
import OfflineStore
import Soups

/// A query with the soup and the relations that it runs over.
struct SoupQueryRun: Sendable {
    let store: SmartStore
    let soup: String
    let query: SoupQuery
    let options: PreparedOptions
    let relations: [ByteKey: SoupRelation]

    init(_ query: SoupQuery, store: SmartStore, soup: String, relations: [SoupRelation]) throws(Fault) {
        var byName: [ByteKey: SoupRelation] = [:]
        for relation in relations {
            guard !relation.local.isEmpty, relation.local.count == relation.foreign.count else {
                throw Fault(
                    .invalidArguments, "a relation needs as many local as foreign paths, and at least one",
                    context: [.path(relation.name)])
            }
            guard byName.updateValue(relation, forKey: ByteKey(relation.name)) == nil else {
                throw Fault(.invalidArguments, "two relations have one name", context: [.path(relation.name)])
            }
        }
        self.store = store
        self.soup = soup
        self.query = query
        self.relations = byName
        options = try query.query.prepared(relations: relations.map(\.name))
    }

    /// Reads the page at a position from one state of the store.
    func page(from position: QueryPosition) throws(Fault) -> QueryPage {
        try store.snapshot { (snapshot) throws(Fault) in
            try PageReader(self, snapshot, position).page()
        }
    }
}
