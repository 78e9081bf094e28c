/// Detects duplicate member names by comparing decoded names.
///
/// The names of all open objects are on one stack. Each object has a 64-bit filter, with which one test is enough for
/// nearly every new name of a small object. If the filter does not decide, fingerprints are compared. An object with
/// many names uses a hash table, so that the total time stays linear.
struct NameTracker: ~Copyable {
    struct Name {
        let fingerprint: UInt64
        let start: Int
        let length: UInt32
        let isEscaped: Bool

        var token: StringToken { StringToken(start: start, end: start + Int(length), isEscaped: isEscaped) }
    }

    struct Object {
        var firstName = 0
        /// One bit for each fingerprint seen.
        var filter: UInt64 = 0
        /// The number of the object's names that are in the table.
        var tabled = 0
    }

    /// Up to this number of names, fingerprints are compared one by one.
    private static let fewNames = 32

    private var names = GrowableStack<Name>(capacity: 16)
    private var outer = GrowableStack<Object>(capacity: 8)
    private var current = Object()
    private var table = NameTable()

    /// Removes all names, for a new text.
    mutating func reset() {
        if current.tabled > 0 || outer.count > 0 {
            table.removeAll()
        }
        names.shrink(to: 0)
        outer.shrink(to: 0)
        current = Object()
    }

    @inline(__always) mutating func beginObject() {
        outer.append(current)
        current = Object(firstName: names.count)
    }

    @inline(__always) mutating func endObject() {
        if current.tabled > 0 {
            table.removeLast(current.tabled)
        }
        names.shrink(to: current.firstName)
        current = outer.removeLast()
    }

    /// The number of names of the innermost object.
    var namesOfObject: Int { names.count - current.firstName }

    /// A name of the innermost object.
    func name(ofObject index: Int) -> StringToken { names[current.firstName + index].token }

    /// Adds the next name of the innermost object.
    @inline(__always) mutating func insert(_ token: StringToken, in scanner: ByteScanner) throws(ScanFailure) {
        if token.isEscaped {
            return try insertEscaped(token, scanner.base)
        }
        let prefix = NameFingerprint.prefix(scanner.base, from: token.start, to: token.end, limit: scanner.end)
        let fingerprint = NameFingerprint.fingerprint(scanner.base, from: token.start, to: token.end, prefix: prefix)
        try insert(token, fingerprint, scanner.base)
    }

    @inline(never) private mutating func insertEscaped(
        _ token: StringToken, _ text: UnsafePointer<UInt8>
    ) throws(ScanFailure) {
        var decoded: [UInt8] = []
        StringDecoding.append(text, from: token.start, to: token.end, into: &decoded)
        try insert(token, NameFingerprint.fingerprint(decoded).fingerprint, text)
    }

    /// Adds the next name of the innermost object; `fingerprint` comes from `NameFingerprint` and must be equal for
    /// equal decoded names.
    @inline(__always) mutating func insert(
        _ token: StringToken, _ fingerprint: UInt64, _ text: UnsafePointer<UInt8>
    ) throws(ScanFailure) {
        let bit: UInt64 = 1 &<< (fingerprint &>> 58)
        if current.filter & bit != 0 {
            try search(token, fingerprint, text)
        }
        current.filter |= bit
        names.append(
            Name(
                fingerprint: fingerprint, start: token.start,
                length: UInt32(truncatingIfNeeded: token.end &- token.start), isEscaped: token.isEscaped))
    }

    @inline(never) private mutating func search(
        _ token: StringToken, _ fingerprint: UInt64, _ text: UnsafePointer<UInt8>
    ) throws(ScanFailure) {
        let isKnown =
            names.count - current.firstName <= Self.fewNames
            ? isAmongFew(token, fingerprint, text) : isInTable(token, text)
        if isKnown {
            throw ScanFailure(.duplicateName, at: token.start - 1)
        }
    }

    private func isAmongFew(_ token: StringToken, _ fingerprint: UInt64, _ text: UnsafePointer<UInt8>) -> Bool {
        for index in current.firstName..<names.count where names[index].fingerprint == fingerprint {
            if StringDecoding.same(text, names[index].token, text, token) {
                return true
            }
        }
        return false
    }

    private mutating func isInTable(_ token: StringToken, _ text: UnsafePointer<UInt8>) -> Bool {
        // Names that the filter accepted are not in the table yet; add them now.
        while current.firstName + current.tabled < names.count {
            let index = current.firstName + current.tabled
            table.insert(index, hash: NameTable.hash(text, names[index].token))
            current.tabled += 1
        }
        var probe = table.probe(hash: NameTable.hash(text, token))
        while let index = table.next(&probe) {
            if index >= current.firstName, StringDecoding.same(text, names[index].token, text, token) {
                return true
            }
        }
        return false
    }
}
