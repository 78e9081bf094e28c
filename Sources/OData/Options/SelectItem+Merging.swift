import Soups

extension SelectItem {
    /// Items in which no path leads into an item with options: what `C($select=x),C/y` selects is `C($select=x,y)`.
    ///
    /// Throws `unsupported` for two items that give options to one path. O(n) in the number of items and segments.
    static func merged(_ items: [SelectItem]) throws(Fault) -> [SelectItem] {
        guard items.count > 1, items.contains(where: { $0.options != nil }) else { return items }
        var owners: [ByteKey: QueryOptions] = [:]
        for item in items {
            guard let options = item.options else { continue }
            guard owners.updateValue(options, forKey: ByteKey(item.path)) == nil else {
                throw Fault(
                    .unsupported, "two items of $select give options to one path; use one item for it",
                    offset: item.offset, context: [.path(item.path)])
            }
        }
        let kept = items.filter { item in
            if let (owner, rest) = owner(above: item.path, among: owners) {
                owners[owner]?.selectAlso(SelectItem(path: rest, options: item.options, offset: item.offset))
                return false
            }
            let path = ByteKey(item.path)
            guard item.options == nil, owners[path] != nil else { return true }
            owners[path]?.selectAlso(nil)
            return false
        }
        return kept.map { item in
            guard item.options != nil else { return item }
            return SelectItem(path: item.path, options: owners[ByteKey(item.path)], offset: item.offset)
        }
    }

    /// The shortest path with options that leads to a longer path, and the rest of that. What the paths between them
    /// select is merged with the options of the shortest.
    private static func owner(
        above path: String, among owners: [ByteKey: QueryOptions]
    ) -> (owner: ByteKey, rest: String)? {
        for index in path.utf8.indices where path.utf8[index] == UInt8(ascii: "/") {
            let owner = ByteKey(String(path[..<index]))
            if owners[owner] != nil {
                return (owner, String(path[path.utf8.index(after: index)...]))
            }
        }
        return nil
    }
}

extension QueryOptions {
    /// Selects one more property, or all with nil.
    fileprivate mutating func selectAlso(_ item: SelectItem?) {
        if let item {
            select?.append(item)
        } else {
            select = nil
        }
    }
}
