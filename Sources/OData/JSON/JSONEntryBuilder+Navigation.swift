import JSONText
import Soups

extension JSONEntryBuilder {
    /// Adds expanded entities. Where the property is declared, one entity is distinguished from a collection.
    mutating func addNavigation(
        _ name: String, _ node: JSONNode, info: PropertyInfos.Info?, to entry: inout EntryContent,
        declared: EdmTypeReference?, base: BaseURL?
    ) throws(Fault) {
        let (expected, base) = (declared?.name, info?.base ?? base)
        switch node.kind {
        case .null:
            entry.rest.navigation.append(ODataEntry.Navigation(name, .null))
        case .array:
            guard declared?.isCollection != false else {
                throw Fault(
                    .typeMismatch, "the navigation property holds an array, but is declared for one entity",
                    offset: node.offset, context: [.path(name)])
            }
            entry.rest.navigation.append(
                ODataEntry.Navigation(name, .feed(try feed(node, info: info, expected: expected, base: base))))
        case .object:
            if format == .verbose, try addVerboseNavigation(name, node, info: info, to: &entry, declared, base: base) {
                return
            }
            guard declared?.isCollection != true else {
                throw Fault(
                    .typeMismatch, "the navigation property holds one entity, but is declared for a collection",
                    offset: node.offset, context: [.path(name)])
            }
            entry.rest.navigation.append(
                ODataEntry.Navigation(name, .entry(try self.entry(node, expected: expected, base: base))))
        default:
            throw Fault(
                .typeMismatch, "a navigation property must hold an entity, an array of entities or null",
                offset: node.offset)
        }
    }

    /// Adds what only verbose JSON has in an object: a link to entities that are not expanded, or a collection with its
    /// count. Returns false for an entity.
    private mutating func addVerboseNavigation(
        _ name: String, _ node: JSONNode, info: PropertyInfos.Info?, to entry: inout EntryContent,
        _ declared: EdmTypeReference?, base: BaseURL?
    ) throws(Fault) -> Bool {
        if try readVerboseLink(name, node, &entry, base: base) {
            return true
        }
        guard let results = node["results"], results.kind == .array else {
            return false
        }
        if let declared, !declared.isCollection {
            // An entity may have a property of this name.
            guard checker?.model.property("results", of: declared.name) == nil else {
                return false
            }
            throw Fault(
                .typeMismatch, "the navigation property holds a collection, but is declared for one entity",
                offset: node.offset, context: [.path(name)])
        }
        var feed = try feed(results, info: info, expected: declared?.name, base: base)
        if let value = node["__count"], !value.isNull {
            feed.count = try count(value)
        }
        if let next = node["__next"] {
            feed.nextLink = try reference(next, base: base)
        }
        entry.rest.navigation.append(ODataEntry.Navigation(name, .feed(feed)))
        return true
    }

    private mutating func feed(
        _ node: JSONNode, info: PropertyInfos.Info?, expected: String?, base: BaseURL?
    ) throws(Fault) -> ODataFeed {
        var feed = ODataFeed()
        feed.count = info?.count
        feed.nextLink = info?.nextLink
        feed.isDelta = info?.isDelta ?? false
        // Memory for all entries of a short feed, and for the first ones of a long one, which grows as it needs to.
        feed.entries.reserveCapacity(node.elements.prefix(100).reduce(0) { count, _ in count + 1 })
        for element in node.elements {
            feed.entries.append(try entry(element, expected: expected, base: base))
        }
        return feed
    }
}
