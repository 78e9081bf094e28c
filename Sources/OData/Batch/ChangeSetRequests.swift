import Soups

extension ODataBatch.ChangeSet {
    /// Throws `invalidArguments` for a request that only reads, and for two requests with one Content-ID: a URL such as
    /// `$1/Items` would not say which of them it means. Up to version 3.0 services and clients write such ids, so they
    /// are refused only if a URL names one.
    func checkRequests(_ version: ODataVersion) throws(Fault) {
        var ids: Set<ByteKey> = []
        for message in messages where message.status == nil {
            guard !message.isRead else {
                throw Fault(
                    .invalidArguments, "a change set must not contain a GET; put it outside of the change set")
            }
            guard let id = message.contentID, !ids.insert(ByteKey(id)).inserted else { continue }
            guard !version.isV4, !hasURL(naming: id) else {
                throw Fault(
                    .invalidArguments, "two requests of a change set have one id; give each its own",
                    context: [.path(id)])
            }
        }
    }

    /// Whether the URL of a request begins with the entity that the request with an id creates.
    private func hasURL(naming id: String) -> Bool {
        messages.contains { message in
            guard case .request(_, let url) = message.start else { return false }
            let first = url.utf8.prefix { $0 != UInt8(ascii: "/") }
            return first.elementsEqual(("$" + id).utf8)
        }
    }
}
