public import ServiceTransport

/// The calls that the mock service answers, in the order in which services document them.
public enum MockCall: String, Sendable, Hashable, CaseIterable {
    /// GET `/query?q=`
    case query
    /// GET `/query/CURSOR-OFFSET`: a further page.
    case queryMore
    /// GET `/search?q=`
    case search
    /// GET `/sobjects/T`: the type and the records that were touched last.
    case recent
    /// GET `/sobjects/T/describe`
    case describe
    /// GET `/ui-api/layout/T`
    case layout
    /// POST `/sobjects/T`
    case create
    /// GET `/sobjects/T/ID` or `/sobjects/T/FIELD/VALUE`
    case retrieve
    /// PATCH `/sobjects/T/ID`
    case update
    /// PATCH `/sobjects/T/FIELD/VALUE`
    case upsert
    /// DELETE `/sobjects/T/ID`
    case delete
    /// POST `/composite`
    case composite
    /// POST `/composite/sobjects`
    case collectionCreate
    /// PATCH `/composite/sobjects`
    case collectionUpdate
    /// PATCH `/composite/sobjects/T/FIELD`
    case collectionUpsert
    /// DELETE `/composite/sobjects?ids=`
    case collectionDelete
    /// POST `/composite/sobjects/T`
    case collectionRetrieve
}

extension MockCall {
    /// What a request asks for; nil for a path or method that the service does not have.
    public init?(_ request: ServiceRequest) {
        guard let route = try? MockRoute(method: request.method, path: request.path) else { return nil }
        self = route.call
    }
}
