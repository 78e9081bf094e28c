/// The records that were touched last, by type.
struct RecentRecords: Sendable {
    private static let most = 10
    private var ids: [String: [String]] = [:]
    /// What a test has set in place of what was touched.
    private var fixed: [String: [String]] = [:]

    /// The ids of a type, the last one first.
    func ids(_ type: String) -> [String] {
        let type = ASCIICase.lower(type)
        return fixed[type] ?? ids[type] ?? []
    }

    mutating func touch(_ type: String, _ id: String) {
        let type = ASCIICase.lower(type)
        var all = ids[type] ?? []
        all.removeAll { $0 == id }
        all.insert(id, at: 0)
        ids[type] = Array(all.prefix(Self.most))
    }

    mutating func set(_ type: String, _ ids: [String]?) { fixed[ASCIICase.lower(type)] = ids }
}
