extension ODataFeed {
    /// One change of a delta.
    public enum Change: Sendable {
        /// An added, changed or deleted entity.
        case entry(ODataEntry)
        /// An added or deleted link.
        case link(DeltaLink)
    }

    /// The changes of a delta in the order of the payload, in which they must be applied. O(n) in their number.
    ///
    /// The order is that of the payload as it was read; links that are appended afterwards come last.
    public var changes: [Change] {
        var changes: [Change] = []
        changes.reserveCapacity(entries.count + links.count)
        var next = 0
        for (index, link) in links.enumerated() {
            let position = index < linkPositions.count ? min(linkPositions[index], entries.count) : entries.count
            while next < position {
                changes.append(.entry(entries[next]))
                next += 1
            }
            changes.append(.link(link))
        }
        while next < entries.count {
            changes.append(.entry(entries[next]))
            next += 1
        }
        return changes
    }

    /// Returns the name of the entity set that a change is about, by the context URL of the change or else of the feed;
    /// nil if neither names one.
    public func entitySet(of change: Change) -> String? {
        let own =
            switch change {
            case .entry(let entry): entry.context
            case .link(let link): link.context
            }
        return (own ?? context).flatMap(JSONContext.entitySet)
    }

    /// Whether the context URL of an entity of a delta leads to those of a navigation property, as that of contained
    /// entities does.
    package static func isBehindSet(_ entry: ODataEntry) -> Bool {
        entry.context.map(JSONContext.leadsBeyondSet) ?? false
    }
}
