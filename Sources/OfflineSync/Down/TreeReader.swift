import JSONText
import Soups

/// The children that belong to a page of parents: those of the page itself, and those of further pages of children.
struct Trees: Sendable {
    struct Child: Sendable {
        let parent: RecordId
        let record: DownRecord
    }

    /// The children within one answer.
    struct Part: Sendable {
        let bytes: [UInt8]
        var records: [Child] = []

        /// The children of each parent, in order. A parent may come twice.
        var groups: [(parent: RecordId, records: [DownRecord])] {
            var groups: [(parent: RecordId, records: [DownRecord])] = []
            for child in records {
                if groups.last?.parent != child.parent {
                    groups.append((child.parent, []))
                }
                groups[groups.count - 1].records.append(child.record)
            }
            return groups
        }
    }

    var parts: [Part] = []
    /// The pages of children that were not read yet, with the parent of each.
    var open: [(parent: RecordId, link: NextLink)] = []
}

/// Reads pages of parents with their children.
struct TreeReader: Sendable {
    let parents: RecordForm
    let children: RecordForm

    /// Reads the answer to a query over parents.
    func read(_ answer: CallAnswer, after link: NextLink?) throws(Fault) -> (page: DownPage, trees: Trees) {
        try answer.read { (bytes) throws(Fault) in
            try PageReader.reading(bytes) { (root) throws(WrongForm) in
                let array = try QueryAnswer.records(root)
                let query = try QueryAnswer(root, after: link)
                var trees = Trees()
                var part = Trees.Part(bytes: bytes)
                var records: [DownRecord] = []
                var unreadable = 0
                for element in array.elements {
                    let found = try parents.read(element)
                    records.append(found.record)
                    unreadable += found.hasUnreadableDate ? 1 : 0
                    if let node = found.children {
                        try read(node, of: found.record.id, into: &part, &trees)
                    }
                    try PageReader.check(count: records.count + part.records.count)
                }
                try query.next?.note(pageIsEmpty: records.isEmpty)
                trees.parts = [part]
                var page = DownPage(bytes: bytes, records: records)
                page.total = query.total
                page.continuation = query.next
                page.isLast = query.next == nil
                page.unreadableDates = unreadable
                return (page, trees)
            }
        }
    }

    /// Reads the children of one parent.
    private func read(
        _ node: JSONNode, of parent: RecordId, into part: inout Trees.Part, _ trees: inout Trees
    ) throws(WrongForm) {
        guard !node.isNull else { return }
        guard node.kind == .object else { throw WrongForm("the children of a record are not an object") }
        guard let array = node["records"], !array.isNull else { return }
        guard array.kind == .array else { throw WrongForm("the children of a record are not an array") }
        for element in array.elements {
            part.records.append(Trees.Child(parent: parent, record: try children.read(element).record))
        }
        if let next = try QueryAnswer(node, after: nil).next {
            trees.open.append((parent, next))
        }
    }

    /// Follows the links to further children, to their ends.
    ///
    /// - Throws: `limitExceeded` for more children than a page may have records; as `DownContext.follow`.
    func complete(_ trees: inout Trees, _ context: DownContext) async throws {
        var count = trees.parts.reduce(0) { $0 + $1.records.count }
        for (parent, first) in trees.open {
            var link: NextLink? = first
            while let current = link {
                let page = try QueryAnswer.page(await context.follow(current), children, after: current)
                count += page.records.count
                guard count <= PageReader.greatestCount else {
                    throw Fault(.limitExceeded, "a page has more than \(PageReader.greatestCount) children")
                }
                var part = Trees.Part(bytes: page.bytes)
                part.records = page.records.map { Trees.Child(parent: parent, record: $0) }
                trees.parts.append(part)
                link = page.continuation as? NextLink
            }
        }
        trees.open = []
    }
}
