import Soups

extension ODataBatch.ChangeSet {
    /// Throws `invalidArguments` for a request that only reads, and for two requests with one Content-ID: a URL such as
    /// `$1/Items` would not say which of them it means.
    func checkRequests() throws(Fault) {
        var ids: Set<ByteKey> = []
        for message in messages where message.status == nil {
            guard !message.isRead else {
                throw Fault(
                    .invalidArguments, "a change set must not contain a GET; put it outside of the change set")
            }
            guard let id = message.contentID else { continue }
            guard ids.insert(ByteKey(id)).inserted else {
                throw Fault(
                    .invalidArguments, "two requests of a change set have one id; give each its own",
                    context: [.path(id)])
            }
        }
    }
}
