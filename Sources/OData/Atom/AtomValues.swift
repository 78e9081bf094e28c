import Soups

/// Holds the property elements that are open, and the values of those that are closed but whose parent is not.
struct AtomValues {
    /// One open property element, or one item of a collection. No references in it, so that nothing is counted on the
    /// way.
    struct Open: BitwiseCopyable {
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
        /// The filter of the names around it.
        var filter: UInt64
        var offset: Int
        /// GML elements seen inside.
        var hasShape: Bool
    }

    var open: [Open] = []
    /// Values whose parents are still open.
    var closed: [EntryContent.Cell] = []
    private(set) var names: [Int32] = []
    /// A bit for each name of the innermost entry or complex value: nearly every new name passes with one test.
    private(set) var filter: UInt64 = 0
    var shape = GMLShape()
    private(set) var types: [StatedType] = []
    /// What is asked of each type most often, without its texts.
    private(set) var kinds: [(primitive: EdmPrimitiveType?, isCollection: Bool)] = []
    /// The numbers of the types' names among the texts of the entries; -1 where not asked for yet.
    private var textNumbers: [Int32] = []
    private var numbers = ByteCache<Int32>()
    private var rest: [ByteKey: Int32] = [:]
    /// By the index of an element's name: where the type that it stated last is remembered; -1 for none.
    private var stated: [Int32] = []
    var isOpen: Bool { !open.isEmpty }

    /// The number of a stated type.
    ///
    /// - Parameter name: the element that states it, -1 for an item: it most likely states the type that it stated
    ///   last.
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
        let key = ByteKey(type.text)
        let number = rest[key] ?? Int32(types.count)
        if number == types.count {
            types.append(type)
            kinds.append((type.primitive, type.isCollection))
            textNumbers.append(-1)
            rest[key] = number
        }
        numbers.remember(bytes, number)
        return number
    }

    /// The number of a type's name among the texts of the entries; -1 where there is no type.
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

    /// Forgets the numbers of texts: the texts are others now.
    mutating func forgetNumbers() {
        for index in textNumbers.indices {
            textNumbers[index] = -1
        }
    }

    /// Takes a name of an entry or complex value whose names begin at a place; false where it was used there before.
    ///
    /// Linear where the filter does not help: names are numbers, and there are a thousand at most.
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

    /// Begins names of their own, and gives the filter of those around them.
    mutating func beginNames() -> UInt64 {
        defer { filter = 0 }
        return filter
    }

    /// Forgets names from a place on and goes on with those around them.
    mutating func endNames(from start: Int, filter: UInt64) {
        names.removeLast(names.count - start)
        self.filter = filter
    }
}
