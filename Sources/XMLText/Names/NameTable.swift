/// The names of a document, each stored once: texts, names as written, and expanded names by namespace state.
struct NameTable: ~Copyable {
    static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"
    static let xmlnsNamespace = "http://www.w3.org/2000/xmlns/"

    /// The texts of names, prefixes, local parts and namespaces. The first ones are predefined.
    private(set) var texts = ByteInterner()
    static let empty: Int32 = 0
    static let xml: Int32 = 1
    static let xmlns: Int32 = 2
    static let xmlURI: Int32 = 3
    static let xmlnsURI: Int32 = 4

    var qualified = PlainBuffer<QualifiedName>(capacity: 64)
    /// The names that were looked up recently.
    private var recent = RecentNames()
    /// By the number of a text: the name with that text; -1 for a text that is not a name.
    private var nameOfText: [Int32] = []
    private var expanded: [(namespace: Int32, local: Int32)] = []
    /// Gives each pair of a namespace and a local part its number. A dictionary would do, but at the first use of one
    /// in a process the Swift runtime searches all libraries for what its keys conform to.
    private var pairs = ByteInterner()
    var states: NamespaceStates

    init() {
        states = NamespaceStates(xmlPrefix: Self.xml, xmlNamespace: Self.xmlURI)
        for text in ["", "xml", "xmlns", Self.xmlNamespace, Self.xmlnsNamespace] {
            _ = texts.intern(text)
        }
    }

    var count: Int { texts.count }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 { texts.intern(bytes) }

    /// The name of less than 16 bytes that was looked up recently and has these bytes; nil if there is none.
    @inline(__always)
    func recentName(_ words: RecentNames.Words) -> Int32? {
        let number = recent[words]
        guard number >= 0 else { return nil }
        let known = qualified.base + Int(number)
        return known.pointee.count == words.count && known.pointee.head == (words.first, words.second) ? number : nil
    }

    /// Remembers a name that had to be looked up, if `recentName` can find it: a short one in ASCII.
    mutating func remember(_ number: Int32) {
        let known = qualified.base + Int(number)
        let isASCII = (known.pointee.head.0 | known.pointee.head.1) & 0x8080_8080_8080_8080 == 0
        guard known.pointee.count < 16, isASCII else { return }
        recent.set(
            RecentNames.Words(first: known.pointee.head.0, second: known.pointee.head.1, count: known.pointee.count),
            number)
    }

    /// The name with this text; nil if it is new.
    func known(text: Int32) -> Int32? {
        guard Int(text) < nameOfText.count, nameOfText[Int(text)] >= 0 else { return nil }
        return nameOfText[Int(text)]
    }

    /// Adds a name whose text was checked. `colon` is the number of bytes before the colon; nil if there is no colon.
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, text: Int32, colon: Int?) -> Int32 {
        let head = Self.words(count: bytes.count) { bytes[$0] }
        let mask = Self.words(count: bytes.count) { _ in 0xFF }
        var prefix = Self.empty
        var local = text
        if let colon {
            prefix = texts.intern(UnsafeBufferPointer(rebasing: bytes[..<colon]))
            local = texts.intern(UnsafeBufferPointer(rebasing: bytes[(colon + 1)...]))
        }
        let number = Int32(qualified.count)
        qualified.append(
            QualifiedName(head: head, mask: mask, count: bytes.count, prefix: prefix, local: local, text: text))
        while nameOfText.count <= Int(text) {
            nameOfText.append(-1)
        }
        nameOfText[Int(text)] = number
        return number
    }

    /// Up to 16 bytes as two words in memory order, padded with zeros.
    private static func words(count: Int, _ byte: (Int) -> UInt8) -> (UInt64, UInt64) {
        var words: (UInt64, UInt64) = (0, 0)
        for index in 0..<min(16, count) {
            let value = UInt64(byte(index)) << UInt64(8 * (index % 8))
            if index < 8 {
                words.0 |= value
            } else {
                words.1 |= value
            }
        }
        return (UInt64(littleEndian: words.0), UInt64(littleEndian: words.1))
    }

    mutating func expandedName(namespace: Int32, local: Int32) -> Int32 {
        let key = UInt64(UInt32(bitPattern: namespace)) << 32 | UInt64(UInt32(bitPattern: local))
        let number = pairs.intern(bytesOf: key)
        if number == expanded.count {
            expanded.append((namespace, local))
        }
        return number
    }

    mutating func expandedName(_ local: String, in namespace: String) -> Int32 {
        expandedName(namespace: texts.intern(namespace), local: texts.intern(local))
    }

    func parts(of name: XMLName) -> (namespace: Int32, local: Int32) { expanded[Int(name.index)] }

    /// The expanded name of an element; nil if the prefix is not declared.
    @inline(__always)
    mutating func element(_ name: Int32, in state: Int32) -> Int32? {
        let known = qualified.base + Int(name)
        if known.pointee.cachedState == state {
            return known.pointee.cachedName
        }
        return resolve(name, in: state)
    }

    private mutating func resolve(_ name: Int32, in state: Int32) -> Int32? {
        let known = qualified.base + Int(name)
        let prefix = known.pointee.prefix
        let namespace: Int32
        if let bound = states.namespace(of: prefix, in: state) {
            namespace = bound
        } else {
            guard prefix == Self.empty else { return nil }
            namespace = Self.empty
        }
        let found = expandedName(namespace: namespace, local: known.pointee.local)
        known.pointee.cachedState = state
        known.pointee.cachedName = found
        return found
    }

    /// The expanded name of an attribute. Without a prefix it has no namespace.
    @inline(__always)
    mutating func attribute(_ name: Int32, in state: Int32) -> Int32? {
        let known = qualified.base + Int(name)
        guard known.pointee.prefix == Self.empty else {
            return element(name, in: state)
        }
        if known.pointee.attributeName >= 0 {
            return known.pointee.attributeName
        }
        let found = expandedName(namespace: Self.empty, local: known.pointee.local)
        known.pointee.attributeName = found
        return found
    }
}
