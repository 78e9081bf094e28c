import JSONText
import Soups

// Expansions whose entities are all on further pages.
extension JSONEntryBuilder {
    /// Adds the entities of a navigation property that has a link to its first page and no array.
    mutating func addFurtherPage(of name: String, to entry: inout EntryContent, _ object: inout ObjectReading) {
        guard let info = object.infos[name], let link = info.nextLink,
            isCollectionOfEntities(name, info, object.type)
        else { return }
        // Many properties may have such a link: the names are collected once.
        let names = object.valueNames ?? valueNames(of: object.node)
        object.valueNames = names
        guard !names.contains(ByteKey(name)) else { return }
        var feed = ODataFeed()
        feed.count = info.count
        feed.nextLink = link
        entry.rest.navigation.append(ODataEntry.Navigation(name, .feed(feed)))
    }

    private mutating func valueNames(of node: JSONNode) -> Set<ByteKey> {
        var names: Set<ByteKey> = []
        for member in node.members {
            if case .plain(let name) = meaning(of: member.name) {
                names.insert(ByteKey(name))
            }
        }
        return names
    }

    /// Whether a property without a value holds entities, by its declaration or by what the payload says.
    private func isCollectionOfEntities(_ name: String, _ info: PropertyInfos.Info, _ type: String?) -> Bool {
        if isChecked, let checker, let declaration = try? checker.declaration(of: name, in: type),
            case .navigation(let navigation) = declaration
        {
            return navigation.type.isCollection
        }
        return info.isNavigation || expanded.all.contains(ByteKey(name))
    }
}
