import Soups

/// Makes nested items of the paths of `$expand` up to version 3.0, where `Items/Order,Items/Part` is what
/// `Items($expand=Order,Part)` is in version 4.0. Source: OData 2.0, URI Conventions, section 4.6.
package enum ExpandPaths {
    /// The items with one name each. Those with equal beginnings are joined.
    package static func nested(_ items: [ExpandItem]) -> [ExpandItem] {
        var heads: [Head] = []
        for item in items {
            let (name, rest) = split(item.path)
            let known = heads.firstIndex { $0.name.hasBytes(of: name) }
            let index = known ?? heads.count
            if known == nil {
                heads.append(Head(name: name, offset: item.offset))
            }
            if rest.isEmpty {
                heads[index].own = item
            } else {
                let skipped = item.path.utf8.count - rest.utf8.count
                heads[index].below.append(item.moved(to: rest, offset: item.offset + skipped))
            }
        }
        return heads.map(\.item)
    }

    /// The first name of some paths.
    private struct Head {
        let name: String
        let offset: Int
        /// The item of the name itself.
        var own: ExpandItem?
        /// What follows the name in the other items.
        var below: [ExpandItem] = []

        var item: ExpandItem {
            guard !below.isEmpty else {
                return own ?? ExpandItem(plain: name)
            }
            var options = own?.options ?? QueryOptions()
            options.expand = (options.expand ?? []) + below
            var item = ExpandItem(path: name, levels: own?.levels, options: options)
            item.offset = offset
            return item
        }
    }

    /// The first name with the types around it, and the rest of the path.
    private static func split(_ path: String) -> (name: String, rest: String) {
        let segments = path.segments
        func isType(_ segment: String) -> Bool { segment.utf8.contains(UInt8(ascii: ".")) }
        let name = segments.firstIndex { !isType($0) } ?? 0
        guard segments.dropFirst(name + 1).contains(where: { !isType($0) }) else {
            return (path, "")
        }
        return (
            segments[...name].joined(separator: "/"), segments[(name + 1)...].joined(separator: "/")
        )
    }
}

extension ExpandItem {
    /// The item with another path.
    fileprivate func moved(to path: String, offset: Int) -> ExpandItem {
        var item = ExpandItem(
            path: path, isReference: isReference, isCount: isCount, levels: levels, options: options)
        item.offset = offset
        return item
    }
}
