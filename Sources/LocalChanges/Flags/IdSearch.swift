/// Looks ids up in a set, one after the other.
///
/// Ids that are asked for in the order in which they were added are compared with the id that follows the last one.
/// Only other ids are looked up in the set, which reads memory in many places.
package struct IdSearch {
    private let ids: IdSet
    /// Where the id after the last one that was found begins.
    private var next: UInt32 = 0

    package init(_ ids: IdSet) { self.ids = ids }

    package mutating func contains(_ id: String) -> Bool {
        var id = id
        return id.withUTF8 { contains(UnsafeRawBufferPointer($0)) }
    }

    /// Whether an id with these bytes in UTF-8 was added.
    package mutating func contains(_ id: UnsafeRawBufferPointer) -> Bool {
        guard IdSet.isPacked(id.count) else {
            return ids.contains(id)
        }
        guard let start = ids.hasId(id, at: next) ? next : ids.start(of: id) else {
            return false
        }
        next = ids.start(after: start)
        return true
    }
}
