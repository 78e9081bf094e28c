public import Soups

/// Checks the arguments of a call about a soup before anything is changed, in the order name, specs, features.
enum SoupRules {
    static func check(name: String) throws(Fault) {
        guard !name.isEmpty else {
            throw Fault(.invalidSoupName, "the soup name is empty")
        }
        let forbidden: [UInt8] = [UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ":"), 0]
        guard !name.utf8.contains(where: forbidden.contains) else {
            throw Fault(.invalidSoupName, "a soup name must not contain '{', '}', ':' or NUL", context: [.soup(name)])
        }
    }

    /// `known` are specs that the soup has already: stores written before this rule existed keep paths that Smart SQL
    /// cannot name.
    static func check(_ specs: [IndexSpec], of soup: String, known: [IndexSpec] = []) throws(Fault) {
        guard !specs.isEmpty else {
            throw Fault(.noIndexSpecs, "a soup needs at least one index spec", context: [.soup(soup)])
        }
        guard specs.count(where: \.type.hasColumn) <= mostColumns else {
            throw Fault(
                .invalidIndexSpec, "a soup can have at most \(mostColumns) index specs that are not json1",
                context: [.soup(soup)])
        }
        var seen: Set<ByteKey> = []
        for spec in specs {
            let context: [Fault.Context] = [.soup(soup), .path(spec.path)]
            guard !spec.path.isEmpty else {
                throw Fault(.invalidIndexSpec, "an index spec needs a path", context: context)
            }
            guard seen.insert(ByteKey(spec.path)).inserted else {
                throw Fault(.invalidIndexSpec, "duplicate path in the index specs", context: context)
            }
            guard !spec.path.utf8.contains(0) else {
                throw Fault(.invalidIndexSpec, "a path must not contain NUL", context: context)
            }
            guard canBeNamed(spec.path) || known.contains(where: { ByteKey($0.path) == ByteKey(spec.path) }) else {
                throw Fault(
                    .invalidIndexSpec, "a path must not contain '{', '}' or ':', because Smart SQL could not name it",
                    context: context)
            }
            guard spec.type.hasColumn || JSONExtract.canExpress(spec.path) else {
                throw Fault(
                    .invalidIndexSpec,
                    "json1 cannot name this path: one of its names is empty or has a quote, backslash or control character",
                    context: context)
            }
        }
    }

    /// How many columns of index specs a table can have: those that SQLite allows, without the four that every table
    /// has.
    private static let mostColumns = 1996

    /// Whether a reference of Smart SQL, `{soup:path}`, can contain the path.
    private static func canBeNamed(_ path: String) -> Bool {
        !path.utf8.contains { byte in
            byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: ":")
        }
    }

    static func check(_ spec: SoupSpec, with indexSpecs: [IndexSpec], known: [IndexSpec] = []) throws(Fault) {
        try check(name: spec.name)
        try check(indexSpecs, of: spec.name, known: known)
        guard !spec.features.contains(.externalStorage) || indexSpecs.allSatisfy(\.type.hasColumn) else {
            throw Fault(
                .json1WithExternalStorage,
                "a json1 index needs the entry in the table, but external storage keeps it in a file: use another index type",
                context: [.soup(spec.name)])
        }
    }

    static func missing(_ name: String) -> Fault {
        Fault(.soupNotFound, "unknown soup; register it first", context: [.soup(name)])
    }

    /// A soup that is listed, but has no table.
    static func withoutTable(_ name: String) -> Fault {
        Fault(
            .corrupt, "the table of the soup is missing: remove the soup, or restore a backup of the store",
            context: [.soup(name)])
    }
}

extension SmartStore {
    /// Checks that a text can be the name of a soup: not empty, and without `{`, `}`, `:` and NUL, which Smart SQL
    /// could not write.
    ///
    /// - Throws: `invalidSoupName`.
    public static func check(soupName: String) throws(Fault) { try SoupRules.check(name: soupName) }

    /// Checks index specs as a registration does, or with `known` ones of the soup as an alteration does.
    ///
    /// - Throws: `noIndexSpecs`, `invalidIndexSpec`.
    package static func check(
        indexSpecs: [IndexSpec], ofSoup name: String, known: [IndexSpec] = []
    ) throws(Fault) {
        try SoupRules.check(indexSpecs, of: name, known: known)
    }
}
