import Soups

extension ODataBatch {
    /// Throws `invalidArguments` for a request that depends on one that is not before it. A multipart batch has no
    /// member for dependencies: its order is the only one, so a dependency on a later request would be lost.
    func requireBackwardDependencies() throws(Fault) {
        var known: Set<ByteKey> = []
        for part in parts {
            switch part {
            case .message(let message): try message.requireDependencies(among: known)
            case .changeSet(let changeSet):
                var members = known
                for message in changeSet.messages {
                    try message.requireDependencies(among: members)
                    if let id = message.contentID {
                        members.insert(ByteKey(id))
                    }
                }
                known = members
                if let name = changeSet.name {
                    known.insert(ByteKey(name))
                }
            }
            if case .message(let message) = part, let id = message.contentID {
                known.insert(ByteKey(id))
            }
        }
    }
}

extension ODataBatch.Message {
    fileprivate func requireDependencies(among known: Set<ByteKey>) throws(Fault) {
        for name in dependsOn where !known.contains(ByteKey(name)) {
            throw Fault(
                .invalidArguments, "a request depends on one that is not before it in the batch",
                context: [.path(name)])
        }
    }
}
