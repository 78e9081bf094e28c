import Soups

/// Resolves references. Each soup is looked up once, and the first references are cached, because long texts repeat a
/// few of them.
struct SoupLookup {
    let catalogue: any SoupCatalogue
    let permissive: Bool
    private var known: [(name: [UInt8], soup: RegisteredSoup)] = []
    private var remembered: [(reference: ArraySlice<UInt8>, target: Target)] = []
    private static let rememberedLimit = 16

    init(catalogue: any SoupCatalogue, permissive: Bool) {
        self.catalogue = catalogue
        self.permissive = permissive
    }

    /// The names of the soups in order of first mention.
    var names: [String] { known.map(\.soup.name) }

    func name(ofTable number: Int64) -> String? { known.first { $0.soup.id == number }?.soup.name }

    /// The target of a reference. It is a class, because the same target is returned for many references.
    final class Target {
        enum Kind {
            case table
            /// A column of only this soup's table.
            case column
            /// A column that the table of every soup has.
            case special
            /// An expression over the column `soup`.
            case expression
            /// The entry of a soup with external storage.
            case externalEntry
        }

        let kind: Kind
        /// The number of the soup. `table` is the name of its table.
        let soup: Int64
        let table: [UInt8]
        /// The name of the column, or the expression after `JSONExtract.head`.
        let text: [UInt8]

        init(_ kind: Kind, of soup: RegisteredSoup, text: String = "") {
            self.kind = kind
            self.soup = soup.id
            table = Array(soup.tableName.utf8)
            self.text = Array(text.utf8)
        }
    }

    /// Resolves `{soup}` or `{soup:path}`, given with its braces.
    /// - Throws: `invalidReference`, `soupNotFound`, `pathNotIndexed`, with the offset of the brace.
    mutating func resolve(_ reference: ArraySlice<UInt8>, at offset: Int) throws(Fault) -> Target {
        for entry in remembered where Self.same(entry.reference, reference) {
            return entry.target
        }
        let target = try find(reference, at: offset)
        if remembered.count < Self.rememberedLimit {
            remembered.append((reference, target))
        }
        return target
    }

    private static func same(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
        a.count == b.count && a.withUnsafeBufferPointer { a in b.withUnsafeBufferPointer { b in a.elementsEqual(b) } }
    }

    private mutating func find(_ reference: ArraySlice<UInt8>, at offset: Int) throws(Fault) -> Target {
        let content = reference.dropFirst().dropLast()
        let colon = content.firstIndex(of: UInt8(ascii: ":"))
        let name = content[..<(colon ?? content.endIndex)]
        let path = colon.map { content[($0 + 1)...] }
        if let path, path.contains(UInt8(ascii: ":")) {
            throw Fault(.invalidReference, "a reference must have one colon, as in {soup:path}", offset: offset)
        }
        guard !name.isEmpty, path?.isEmpty != true else {
            throw Fault(.invalidReference, "a reference without a name; write {soup} or {soup:path}", offset: offset)
        }
        let soup = try soup(name, at: offset)
        guard let path else {
            return Target(.table, of: soup)
        }
        return try column(String(decoding: path, as: UTF8.self), of: soup, at: offset)
    }

    private mutating func soup(_ name: ArraySlice<UInt8>, at offset: Int) throws(Fault) -> RegisteredSoup {
        for entry in known where entry.name.elementsEqual(name) {
            return entry.soup
        }
        let text = String(decoding: name, as: UTF8.self)
        guard let soup = try catalogue.soup(named: text) else {
            throw Fault(.soupNotFound, "unknown soup; register it first", offset: offset, context: [.soup(text)])
        }
        known.append((Array(name), soup))
        return soup
    }

    private func column(_ path: String, of soup: RegisteredSoup, at offset: Int) throws(Fault) -> Target {
        if ByteKey(path) == SoupColumn.entryPath, soup.storesExternally {
            return Target(.externalEntry, of: soup)
        }
        do throws(Fault) {
            let expression = try SoupColumn(path: path, in: soup, permissive: permissive).expression
            if SoupColumn.isSpecial(path) {
                return Target(.special, of: soup, text: expression)
            }
            guard expression.hasPrefix(JSONExtract.head) else {
                return Target(.column, of: soup, text: expression)
            }
            return Target(.expression, of: soup, text: String(expression.dropFirst(JSONExtract.head.utf8.count)))
        } catch {
            throw Fault(error.code, error.message, offset: offset, context: error.context)
        }
    }
}
