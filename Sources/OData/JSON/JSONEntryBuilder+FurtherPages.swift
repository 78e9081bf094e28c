import JSONText
import Soups

// Expansions whose entities are all on further pages.
extension JSONEntryBuilder {
    /// Adds the entities of a navigation property that has a link to its first page and no array.
    mutating func addFurtherPage(
        of name: String, _ info: PropertyInfos.Info?, in node: JSONNode, to entry: inout EntryContent, type: String?
    ) {
        guard let info, let link = info.nextLink, isCollectionOfEntities(name, info, type) else { return }
        for member in node.members {
            if case .plain(let other) = meaning(of: member.name), other.hasBytes(of: name) {
                return
            }
        }
        var feed = ODataFeed()
        feed.count = info.count
        feed.nextLink = link
        entry.rest.navigation.append(ODataEntry.Navigation(name, .feed(feed)))
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
