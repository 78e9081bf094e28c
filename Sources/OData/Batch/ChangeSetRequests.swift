import Soups

extension ODataBatch.ChangeSet {
    /// Throws `invalidArguments` for a request that only reads, and for two requests with one Content-ID: a URL such as
    /// `$1/Items` would not say which of them it means. Up to version 3.0 services and clients write such ids, so they
    /// are refused only if a URL names one.
    func checkRequests(_ version: ODataVersion) throws(Fault) {
        var ids: Set<ByteKey> = []
        let named = namesOfURLs
        for message in messages where message.status == nil {
            guard !message.isRead else {
                throw Fault(
                    .invalidArguments, "a change set must not contain a GET; put it outside of the change set")
            }
            guard let id = message.contentID, !ids.insert(ByteKey(id)).inserted else { continue }
            guard !version.isV4, !named.contains(ByteKey("$" + id)) else {
                throw Fault(
                    .invalidArguments, "two requests of a change set have one id; give each its own",
                    context: [.path(id)])
            }
        }
    }

    /// How the URLs of the requests begin: `$1` for the entity that the request with the id 1 creates.
    private var namesOfURLs: Set<ByteKey> {
        var names: Set<ByteKey> = []
        for message in messages {
            guard case .request(_, let url) = message.start, url.utf8.first == UInt8(ascii: "$") else { continue }
            names.insert(ByteKey(String(Substring(url.utf8.prefix { !"/?(".utf8.contains($0) }))))
        }
        return names
    }
}
