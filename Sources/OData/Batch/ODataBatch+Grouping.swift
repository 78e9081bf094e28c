public import Soups

extension ODataBatch {
    /// Creates a batch of requests, those of one group being a change set.
    ///
    /// A change without a group is a part of its own in version 4, and a change set of its own before, where services
    /// do not read it otherwise. Throws `invalidArguments` if requests of one group are not next to each other.
    public init(grouping requests: [(message: Message, group: String?)], version: ODataVersion) throws(Fault) {
        self.init()
        var names: Set<ByteKey> = []
        var open = ChangeSet([])
        for (message, group) in requests {
            if let group, let name = open.name, name.hasBytes(of: group) {
                open.messages.append(message)
                continue
            }
            close(&open)
            if let group {
                guard names.insert(ByteKey(group)).inserted else {
                    throw Fault(
                        .invalidArguments, "the requests of a group must be next to each other",
                        context: [.path(group)])
                }
                open = ChangeSet([message], name: group)
            } else if version.isV4 || message.isRead {
                append(message)
            } else {
                append(ChangeSet([message]))
            }
        }
        close(&open)
    }

    /// Appends a change set that is complete. It is not changed in place, because that would copy it each time.
    private mutating func close(_ changeSet: inout ChangeSet) {
        if changeSet.name != nil {
            append(changeSet)
        }
        changeSet = ChangeSet([])
    }
}
