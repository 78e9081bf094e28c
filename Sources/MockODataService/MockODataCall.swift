/// The calls that the mock service answers.
public enum MockODataCall: String, Sendable, Hashable, CaseIterable {
    /// GET of the service root.
    case service
    /// GET `$metadata`
    case metadata
    /// GET `Set`
    case set
    /// GET `Set?$skiptoken=`: a further page, also of changes.
    case nextPage
    /// GET `Set?$deltatoken=`
    case delta
    /// GET `Set/$count`
    case count
    /// GET `Set(key)`
    case entity
    /// GET `Set(key)/Property`, also `/$value`
    case property
    /// GET `Set(key)/Navigation`
    case navigation
    /// GET, POST, PUT or DELETE of `Set(key)/Navigation/$ref` or `Set(key)/$links/Navigation`
    case links
    /// POST `Set` or `Set(key)/Navigation`
    case create
    /// PATCH or MERGE `Set(key)`
    case update
    /// PUT `Set(key)`
    case replace
    /// DELETE `Set(key)`
    case delete
    /// POST `$batch`
    case batch
}
