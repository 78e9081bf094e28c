import OData
import OfflineStore
import Soups

/// A query with the soup and the relations that it runs over. A class, because cursors and readers of pages share it.
final class SoupQueryRun: Sendable {
    let store: SmartStore
    let soup: String
    let query: SoupQuery
    let options: PreparedOptions
    private let relations: [ByteKey: SoupRelation]
    /// The relations of further soups, by the soup and the name.
    private let others: [ByteKey: [ByteKey: SoupRelation]]

    /// - Parameters:
    ///   - relations: What `$expand` finds, in the rows of the soup and in the rows that it finds.
    ///   - others: What it finds in the rows of further soups, in place of these.
    ///   - types: The types of the rows of these soups, as far as they are known.
    ///   - inlineSoups: The soups whose rows keep related entities as members, where expressions find them.
    init(
        _ query: SoupQuery, store: SmartStore, soup: String, relations: [SoupRelation],
        others: [ByteKey: [SoupRelation]] = [:], types: [ByteKey: String] = [:], inlineSoups: Set<ByteKey> = []
    ) throws(Fault) {
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
        self.others = others.mapValues { relations in
            Dictionary(relations.map { (ByteKey($0.name), $0) }) { first, _ in first }
        }
        let owners = others.map { soup, relations in
            RelationNames.Owner(type: types[soup], names: relations.map(\.name))
        }
        options = try query.query.prepared(relations: RelationNames(relations.map(\.name), others: owners))
        if !byName.isEmpty || !self.others.isEmpty {
            try RelationUse(run: self, inlineSoups: inlineSoups).check()
        }
    }

    /// What `$expand` finds under a name in the rows of a soup.
    func relation(_ name: String, of soup: String) -> SoupRelation? {
        guard let known = others[ByteKey(soup)] else { return relations[ByteKey(name)] }
        return known[ByteKey(name)]
    }

    /// Reads the page at a position from one state of the store.
    func page(from position: QueryPosition) throws(Fault) -> QueryPage {
        try store.snapshot { (snapshot) throws(Fault) in
            try PageReader(self, snapshot, position).page()
        }
    }
}
