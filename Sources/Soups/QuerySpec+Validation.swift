extension QuerySpec {
    /// Checks a query spec without regard to a soup.
    ///
    /// `exact` needs a path and a match key, `range` a path, `like` a path and a like key, `match` a match key, and
    /// `smart` a Smart SQL text.
    /// - Throws: `invalidPageSize` for a page size under 1; `invalidQuerySpec` for all other problems.
    public func validate() throws(Fault) {
        switch kind {
        case .all: break
        case .exact:
            try need(indexPath != nil, "indexPath")
            try need(matchKey != nil, "matchKey")
        case .range: try need(indexPath != nil, "indexPath")
        case .like:
            try need(indexPath != nil, "indexPath")
            try need(likeKey != nil, "likeKey")
        case .match: try need(matchKey != nil, "matchKey")
        case .smart: try need(smartSql != nil, "smartSql")
        }
        guard pageSize >= 1 else {
            throw Fault(.invalidPageSize, "pageSize must be at least 1")
        }
        if let selectPaths, selectPaths.isEmpty {
            throw Fault(.invalidQuerySpec, "selectPaths is empty; leave it out to select whole entries")
        }
        // Without a list of the keys: every query is checked.
        guard !Self.isNaN(matchKey), !Self.isNaN(beginKey), !Self.isNaN(endKey), !Self.isNaN(likeKey) else {
            throw Fault(.invalidQuerySpec, "a key must not be NaN")
        }
    }

    private static func isNaN(_ key: Key?) -> Bool {
        if case .floating(let value)? = key {
            value.isNaN
        } else {
            false
        }
    }

    private func need(_ present: Bool, _ name: String) throws(Fault) {
        guard present else {
            throw Fault(.invalidQuerySpec, "a query of kind \(kind.rawValue) needs \(name)")
        }
    }
}
