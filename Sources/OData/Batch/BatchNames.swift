import Soups

/// Names for requests that have none: numbers from 1 on that no other request or group has.
struct BatchNames {
    private var taken: Set<ByteKey>
    private var last = 0

    init(_ batch: ODataBatch) {
        taken = Set(batch.messages.compactMap(\.contentID).map { ByteKey($0) })
        for case .changeSet(let changeSet) in batch.parts {
            if let name = changeSet.name {
                taken.insert(ByteKey(name))
            }
        }
    }

    mutating func next(_ prefix: String = "") -> String {
        repeat {
            last += 1
        } while taken.contains(ByteKey(prefix + String(last)))
        return prefix + String(last)
    }
}
