extension ODataEntry {
    /// What options made of an entry. A projected entry keeps what is not a property: id, type, ETag, links and
    /// annotations.
    init(_ node: ResultNode<EntryNode>) {
        self = node.origin?.entry ?? ODataEntry()
        guard case .object(let object) = node else { return }
        if !object.isWhole {
            removeProperties()
        }
        for member in object.members {
            append(member.name, member.value)
        }
    }

    private mutating func append(_ name: String, _ node: ResultNode<EntryNode>) {
        switch node {
        case .data(let data): append(name, data)
        case .value(let value) where name.utf8.contains(UInt8(ascii: "@")): annotations.append(.init(name, value))
        case .value(let value): append(Property(name, value))
        case .object(let object):
            if object.origin?.entry == nil {
                append(Property(name, ODataValue(node)))
            } else {
                navigation.append(Navigation(name, .entry(ODataEntry(node))))
            }
        case .list(let elements, let count):
            guard elements.contains(where: { $0.origin?.entry != nil }) || count != nil else {
                return append(Property(name, ODataValue(node)))
            }
            var feed = ODataFeed()
            feed.entries = elements.map { ODataEntry($0) }
            feed.count = count
            navigation.append(Navigation(name, .feed(feed)))
        }
    }

    private mutating func append(_ name: String, _ data: EntryNode) {
        if let entry = data.entry {
            navigation.append(Navigation(name, .entry(entry)))
        } else if let entries = data.entries {
            var feed = ODataFeed()
            feed.entries = entries
            navigation.append(Navigation(name, .feed(feed)))
        } else {
            append(Property(name, data.value ?? .null, statedType: data.statedType))
        }
    }
}

extension ODataValue {
    /// A node of a result as a value; entries become complex values.
    fileprivate init(_ node: ResultNode<EntryNode>) {
        switch node {
        case .value(let value): self = value
        case .data(let data):
            // The limits of the reader bound the depth of entries.
            self = data.value ?? (try? Term(data, declared: .unknown).value(atMost: .max)) ?? .null
        case .list(let elements, _): self = .collection(elements.map { ODataValue($0) })
        case .object(let object): self = .complex(object.allMembers.map { Member($0.name, ODataValue($0.value)) })
        }
    }
}
