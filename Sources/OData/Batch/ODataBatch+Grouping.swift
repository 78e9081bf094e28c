public import Soups

extension ODataBatch {
    /// Creates a batch of requests, those of one group being a change set.
    ///
    /// A change without a group is a part of its own in version 4, and a change set of its own before, where services do
    /// not read it otherwise. Throws `invalidArguments` if requests of one group are not next to each other.
    public init(grouping requests: [(message: Message, group: String?)], version: ODataVersion) throws(Fault) {
        self.init()
        var closed: Set<ByteKey> = []
        var open: String?
        for (message, group) in requests {
            if let group, let current = open, current.hasBytes(of: group),
                case .changeSet(var changeSet)? = parts.last
            {
                changeSet.messages.append(message)
                parts[parts.count - 1] = .changeSet(changeSet)
                continue
            }
            open = group
            if let group {
                guard closed.insert(ByteKey(group)).inserted else {
                    throw Fault(
                        .invalidArguments, "the requests of a group must be next to each other",
                        context: [.path(group)])
                }
                append(ChangeSet([message], name: group))
            } else if version.isV4 || message.isRead {
                append(message)
            } else {
                append(ChangeSet([message]))
            }
        }
    }
}
