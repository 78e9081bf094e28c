import Soups

/// Finds what references name, each soup asked for once.
struct SoupLookup {
    let catalogue: any SoupCatalogue
    let permissive: Bool
    private var known: [(name: [UInt8], soup: RegisteredSoup)] = []

    init(catalogue: any SoupCatalogue, permissive: Bool) {
        self.catalogue = catalogue
        self.permissive = permissive
    }

    /// The soups found, in order of first mention.
    var names: [String] { known.map(\.soup.name) }

    struct Target {
        enum Kind {
            case table
            /// A column that only this soup's table has.
            case column(String)
            /// A column that every soup's table has.
            case special(String)
            /// An expression over the column `soup`, beginning with `JSONExtract.head`.
            case expression(String)
            /// The entry of a soup that keeps entries in files.
            case externalEntry
        }

        var soup: RegisteredSoup
        var kind: Kind
    }

    /// Resolves `{soup}` or `{soup:path}`, braces included.
    /// - Throws: `invalidReference`, `soupNotFound`, `pathNotIndexed`, with the offset of the brace.
    mutating func resolve(_ reference: ArraySlice<UInt8>, at offset: Int) throws(Fault) -> Target {
        let content = reference.dropFirst().dropLast()
        let colon = content.firstIndex(of: UInt8(ascii: ":"))
        let name = content[..<(colon ?? content.endIndex)]
        let path = colon.map { content[($0 + 1)...] }
        if let path, path.contains(UInt8(ascii: ":")) { throw Fault(.invalidReference, "a reference with two colons", offset: offset) }
        guard !name.isEmpty, path?.isEmpty != true else { throw Fault(.invalidReference, "a reference without a name", offset: offset) }
        let soup = try soup(name, at: offset)
        guard let path else { return Target(soup: soup, kind: .table) }
        return Target(soup: soup, kind: try kind(of: String(decoding: path, as: UTF8.self), in: soup, at: offset))
    }

    private mutating func soup(_ name: ArraySlice<UInt8>, at offset: Int) throws(Fault) -> RegisteredSoup {
        for entry in known where entry.name.elementsEqual(name) { return entry.soup }
        let text = String(decoding: name, as: UTF8.self)
        guard let soup = try catalogue.soup(named: text) else {
            throw Fault(.soupNotFound, "there is no soup of this name", offset: offset, context: [.soup(text)])
        }
        known.append((Array(name), soup))
        return soup
    }

    private func kind(of path: String, in soup: RegisteredSoup, at offset: Int) throws(Fault) -> Target.Kind {
        if ByteKey(path) == SoupColumn.entryPath, soup.storesExternally { return .externalEntry }
        do throws(Fault) {
            let column = try SoupColumn(path: path, in: soup, permissive: permissive)
            if column.affinity == .none, column.expression.hasPrefix(JSONExtract.head) { return .expression(column.expression) }
            return SoupColumn.isSpecial(path) ? .special(column.expression) : .column(column.expression)
        } catch {
            throw Fault(error.code, error.message, offset: offset, context: error.context)
        }
    }
}
