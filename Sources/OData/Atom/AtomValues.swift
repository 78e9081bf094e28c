import Soups

/// Holds the property elements that are open, and the values of those that are closed but whose parent is not.
struct AtomValues {
    /// One open property element, or one item of a collection. No references in it, so that nothing is counted on the way.
    struct Open {
        /// The index of the element's name; -1 for an item of a collection.
        var name: Int32
        /// The number of the stated type, -1 where none is stated.
        var type: Int32
        var isNull: Bool
        var hasItems: Bool
        var textStart: Int
        /// Where the values of the children start in `closed`, their names in `names`.
        var closedStart: Int
        var namesStart: Int
        var offset: Int
        /// GML elements seen inside.
        var hasShape: Bool
    }

    var open: [Open] = []
    var closed: [ODataEntry.Property] = []
    var names: [Int32] = []
    var shape = GMLShape()
    var types: [StatedType] = []
    private var numbers = ByteCache<Int32>()
    private var rest: [ByteKey: Int32] = [:]
    /// How many properties the last entry had: the next one likely has as many.
    var expectedProperties = 8

    var isOpen: Bool { !open.isEmpty }

    /// The number of a stated type.
    mutating func number(ofType bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
        numbers.value(of: bytes) { bytes in
            let type = StatedType(bytes)
            let key = ByteKey(type.text)
            if let known = rest[key] { return known }
            types.append(type)
            rest[key] = Int32(types.count - 1)
            return Int32(types.count - 1)
        }
    }

    /// Whether a name was used before among the names from a place on. Linear: they are numbers, and there are a thousand at most.
    func isTaken(_ name: Int32, from start: Int) -> Bool {
        for index in start..<names.count where names[index] == name { return true }
        return false
    }
}
