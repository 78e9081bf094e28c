import Soups

extension ODataBatch.ChangeSet {
    /// Throws `invalidArguments` for a request that only reads.
    func requireChanges() throws(Fault) {
        guard !messages.contains(where: { $0.status == nil && $0.isRead }) else {
            throw Fault(.invalidArguments, "a change set must not contain a GET; put it outside of the change set")
        }
    }

    /// Throws `invalidArguments` for two requests with one Content-ID that a URL such as `$1/Items` names: it would not
    /// say which of them it means. Up to version 3.0 services and clients write such ids where no URL names them; from
    /// version 4.0 on they are refused in the whole batch.
    func requireClearIDs() throws(Fault) {
        let named = namesOfURLs
        var ids: Set<ByteKey> = []
        for message in messages where message.status == nil {
            guard let id = message.contentID, !ids.insert(ByteKey(id)).inserted else { continue }
            guard !named.contains(ByteKey("$" + id)) else {
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
