extension PayloadStep {
    /// The same step with the given base URL for URLs that have none.
    func rebased(_ base: BaseURL) -> PayloadStep {
        switch self {
        case .entry(let entry): return .entry(entry.rebased(base))
        case .link(var link):
            link.source = link.source?.rebased(base)
            link.target = link.target?.rebased(base)
            return .link(link)
        case .needsInput, .end: return self
        }
    }
}

extension URLReference {
    fileprivate func rebased(_ base: BaseURL) -> URLReference {
        self.base == nil ? URLReference(text, base: base) : self
    }
}

extension ODataEntry {
    /// A copy of the entry in which URLs without a base URL have the given one.
    func rebased(_ base: BaseURL) -> ODataEntry {
        func based(_ reference: URLReference?) -> URLReference? { reference?.rebased(base) }
        var entry = self
        if let id = based(id) {
            entry.id = id
        }
        if let editLink = based(editLink) {
            entry.editLink = editLink
        }
        if let readLink = based(readLink) {
            entry.readLink = readLink
        }
        if var media {
            media.source = based(media.source)
            media.editLink = based(media.editLink)
            entry.media = media
        }
        if !links.isEmpty {
            entry.links = links.map { Link($0.name, based($0.href) ?? $0.href, $0.kind) }
        }
        guard !navigation.isEmpty else {
            return entry
        }
        entry.navigation = navigation.map { navigation in
            switch navigation.content {
            case .null: return navigation
            case .entry(let inner): return Navigation(navigation.name, .entry(inner.rebased(base)))
            case .feed(var feed):
                feed.entries = feed.entries.map { $0.rebased(base) }
                feed.nextLink = based(feed.nextLink)
                return Navigation(navigation.name, .feed(feed))
            }
        }
        return entry
    }
}
