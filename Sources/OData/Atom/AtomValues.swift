import Soups

/// The property elements that are open, and the values of closed ones whose parent is still open.
struct AtomValues {
    /// One open property element, or one item of a collection. It holds no references, so copying it needs no reference
    /// counting.
    struct Open: BitwiseCopyable {
        /// The index of the element's name; -1 for an item of a collection.
        var name: Int32
        /// The number of the type in m:type; -1 without m:type.
        var type: Int32
        var isNull: Bool
        var hasItems: Bool
        var textStart: Int
        /// The index in `closed` at which the values of the children start.
        var closedStart: Int
        var namesStart: Int
        /// The name filter of the outer element.
        var filter: UInt64
        var offset: Int
        /// Whether the element contains GML.
        var hasShape: Bool
    }

    var open: [Open] = []
    /// Values whose parents are still open.
    var closed: [EntryContent.Cell] = []
    private(set) var names: [Int32] = []
    /// A small Bloom filter over the names of the innermost entry or complex value: with one test it shows for nearly
    /// every name that it is not a duplicate.
    private(set) var filter: UInt64 = 0
    var shape = GMLShape()
    private(set) var types: [StatedType] = []
    /// The most used facts about each type, without its texts.
    private(set) var kinds: [(primitive: EdmPrimitiveType?, isCollection: Bool)] = []
    /// The number of each type's name among the texts of the entries; -1 if not yet known.
    private var textNumbers: [Int32] = []
    private var numbers = ByteCache<Int32>()
    /// The numbers of types by their texts, once `numbers` is full.
    private var rest: [ByteKey: Int32] = [:]
    /// By the index of an element's name: the index in `numbers` of the type that the element had last; -1 if it had no
    /// type.
    private var stated: [Int32] = []
    var isOpen: Bool { !open.isEmpty }

    /// The number of a type that m:type names.
    ///
    /// - Parameter name: The name of the element, -1 for an item. An element usually has the same type as the last
    ///   time, which is tried first.
    @inline(__always)
    mutating func number(ofType bytes: UnsafeBufferPointer<UInt8>, of name: Int32 = -1) -> Int32 {
        let known = name >= 0 && Int(name) < stated.count ? stated[Int(name)] : -1
        if known >= 0, numbers.isSame(Int(known), bytes) {
            return numbers.values[Int(known)]
        }
        return search(bytes, of: name)
    }

    private mutating func search(_ bytes: UnsafeBufferPointer<UInt8>, of name: Int32) -> Int32 {
        let number = search(bytes)
        if name >= 0, let index = numbers.index(of: bytes) {
            while stated.count <= Int(name) {
                stated.append(-1)
            }
            stated[Int(name)] = Int32(index)
        }
        return number
    }

    private mutating func search(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
        if let index = numbers.index(of: bytes) {
            return numbers.values[index]
        }
        let type = StatedType(bytes)
        if let number = rest[ByteKey(type.text)] {
            return number
        }
        let number = Int32(types.count)
        if numbers.isFull {
            rest[ByteKey(type.text)] = number
        } else {
            numbers.remember(bytes, number)
        }
        types.append(type)
        kinds.append((type.primitive, type.isCollection))
        textNumbers.append(-1)
        return number
    }

    /// The number of a type's name among the texts of the entries; -1 without a type.
    @inline(__always)
    mutating func textNumber(ofType type: Int32, in texts: inout TextNumbers) -> Int32 {
        guard type >= 0 else {
            return -1
        }
        if textNumbers[Int(type)] < 0 {
            textNumbers[Int(type)] = texts.number(of: types[Int(type)].text)
        }
        return textNumbers[Int(type)]
    }

    /// Forgets the numbers of texts, because they belong to an old page of texts.
    mutating func forgetNumbers() {
        for index in textNumbers.indices {
            textNumbers[index] = -1
        }
    }

    /// Adds a name to those from `start` on. Returns false if the name is already among them.
    ///
    /// The search is linear if the filter does not decide; there are at most a thousand names.
    @inline(__always)
    mutating func take(_ name: Int32, from start: Int) -> Bool {
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: name)
        if filter & bit != 0 {
            for index in start..<names.count where names[index] == name {
                return false
            }
        }
        filter |= bit
        names.append(name)
        return true
    }

    /// Starts a new scope of names and returns the filter of the outer scope.
    mutating func beginNames() -> UInt64 {
        defer { filter = 0 }
        return filter
    }

    /// Ends a scope of names: removes those from `start` on and restores the filter of the outer scope.
    mutating func endNames(from start: Int, filter: UInt64) {
        names.removeLast(names.count - start)
        self.filter = filter
    }
}
