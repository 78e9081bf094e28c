import JSONText
import Soups

// MARK: - Saving
extension ParentChildrenDown {
    public func dirtyIds(_ context: DownContext, of page: DownPage) throws -> Set<RecordId> {
        var dirty = try parentSaver(context).dirtyIds(of: page)
        dirty.formUnion(try TreeRows(self, context).parentsOfDirtyChildren(among: page.records.map(\.id)))
        let saver = childSaver(context)
        for part in (page.attachments as? Trees)?.parts ?? [] {
            // A child may have moved here from another parent.
            let own = try saver.dirtyRows(part.records.map(\.record)).keys
            for child in part.records where own.contains(child.record.id) {
                dirty.insert(child.parent)
            }
        }
        return dirty
    }

    public func save(_ page: DownPage, _ context: DownContext) throws {
        try parentSaver(context).save(page)
        let saver = childSaver(context)
        var kept = try KeptChanges(context.store, soup: children.soup)
        for part in (page.attachments as? Trees)?.parts ?? [] {
            var saved: [PageSaver.Extended] = []
            var left: [PageSaver.Extended] = []
            for group in part.groups {
                let member = member(of: group.parent)
                let records = group.records.map { ($0, member) }
                if page.left.contains(group.parent) {
                    left += records
                } else {
                    saved += records
                }
            }
            try saver.save(saved, of: part.bytes, &kept)
            if !left.isEmpty {
                try saver.keep(left, of: part.bytes)
            }
        }
        try kept.forget()
    }

    /// The time from which the service must be asked again because of the trees of a page that were left: their clean
    /// parts are neither saved nor kept with an original. Nil if nothing of them is lost; 0 for everything.
    func boundAfterLeaving(_ page: DownPage, _ context: DownContext) throws(Fault) -> Int64? {
        guard !page.left.isEmpty else { return nil }
        let left = page.records.filter { page.left.contains($0.id) }
        var lost = try parentSaver(context).lost(left, modificationField: parent.modification)
        var parents: Set<RecordId> = []
        let saver = childSaver(context)
        for part in (page.attachments as? Trees)?.parts ?? [] {
            let inLeft = part.records.filter { page.left.contains($0.parent) }
            let records = try saver.lost(inLeft.map(\.record), modificationField: children.modification)
            let ids = Set(records.map(\.id))
            parents.formUnion(inLeft.filter { ids.contains($0.record.id) }.map(\.parent))
            lost += records
        }
        // The service returns children inside their parents, so a lost child needs its parent to be asked for.
        lost += left.filter { parents.contains($0.id) }
        guard let first = lost.first else { return nil }
        var oldest = first.modified ?? 0
        for record in lost {
            oldest = min(oldest, record.modified ?? 0)
        }
        return max(oldest - 1, 0)
    }

    private func parentSaver(_ context: DownContext) -> PageSaver {
        PageSaver(context, soup: parent.soup, idField: parent.id)
    }

    private func childSaver(_ context: DownContext) -> PageSaver {
        PageSaver(context, soup: children.soup, idField: children.id)
    }

    /// The member of a child with its parent's id.
    private func member(of id: RecordId) -> [UInt8] {
        let value: JSONValue = .string(id.text)
        let text = id.isNumber ? Array(id.text.utf8) : value.bytes()
        return JSONValue.string(parentIdField).bytes() + [UInt8(ascii: ":")] + text + [UInt8(ascii: ",")]
    }
}
