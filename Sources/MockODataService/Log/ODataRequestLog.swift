/// The requests that a mock service got last.
struct ODataRequestLog: Sendable {
    var limit = 0
    private(set) var entries: [LoggedODataRequest] = []
    private var number = 0

    mutating func nextNumber() -> Int {
        number += 1
        return number
    }

    mutating func append(_ entry: LoggedODataRequest) {
        guard limit > 0 else { return }
        entries.append(entry)
        // Seldom, so that forgetting costs little for each request.
        if entries.count - limit >= limit {
            entries.removeFirst(entries.count - limit)
        }
    }

    mutating func clear() { entries = [] }
}
