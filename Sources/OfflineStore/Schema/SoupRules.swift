public import Soups

/// Checks what a caller asks of a soup before anything is touched, in the order of LIF-02: name, specs, features.
enum SoupRules {
    static func check(name: String) throws(Fault) {
        guard !name.isEmpty else {
            throw Fault(.invalidSoupName, "a soup needs a name")
        }
        let forbidden: [UInt8] = [UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ":"), 0]
        guard !name.utf8.contains(where: forbidden.contains) else {
            throw Fault(.invalidSoupName, "a soup name holds no '{', '}', ':' or NUL", context: [.soup(name)])
        }
    }

    /// `known` are specs that the soup has already: stores written before this rule keep paths that Smart SQL cannot
    /// name.
    static func check(_ specs: [IndexSpec], of soup: String, known: [IndexSpec] = []) throws(Fault) {
        guard !specs.isEmpty else {
            throw Fault(.noIndexSpecs, "a soup needs at least one index spec", context: [.soup(soup)])
        }
        var seen: Set<ByteKey> = []
        for spec in specs {
            let context: [Fault.Context] = [.soup(soup), .path(spec.path)]
            guard !spec.path.isEmpty else {
                throw Fault(.invalidIndexSpec, "an index spec needs a path", context: context)
            }
            guard seen.insert(ByteKey(spec.path)).inserted else {
                throw Fault(.invalidIndexSpec, "the same path is given twice", context: context)
            }
            guard !spec.path.utf8.contains(0) else {
                throw Fault(.invalidIndexSpec, "a path holds no NUL", context: context)
            }
            guard canBeNamed(spec.path) || known.contains(where: { ByteKey($0.path) == ByteKey(spec.path) }) else {
                throw Fault(
                    .invalidIndexSpec, "a path holds no '{', '}' or ':': Smart SQL could not name it", context: context)
            }
            guard spec.type != .json1 || JSONExtract.canExpress(spec.path) else {
                throw Fault(
                    .invalidIndexSpec,
                    "json1 cannot name this path: a name is empty or has a quote, backslash or control character",
                    context: context)
            }
        }
    }

    /// Whether a reference of Smart SQL, `{soup:path}`, can hold the path.
    private static func canBeNamed(_ path: String) -> Bool {
        !path.utf8.contains { byte in
            byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: ":")
        }
    }

    static func check(_ spec: SoupSpec, with indexSpecs: [IndexSpec], known: [IndexSpec] = []) throws(Fault) {
        try check(name: spec.name)
        try check(indexSpecs, of: spec.name, known: known)
        guard !spec.features.contains(.externalStorage) || !indexSpecs.contains(where: { $0.type == .json1 }) else {
            throw Fault(
                .json1WithExternalStorage, "json1 needs the entry inside the table, external storage keeps it outside",
                context: [.soup(spec.name)])
        }
    }

    static func missing(_ name: String) -> Fault {
        Fault(.soupNotFound, "there is no such soup", context: [.soup(name)])
    }
}

extension SmartStore {
    /// Says whether a name may be that of a soup: not empty, and without `{`, `}`, `:` and NUL, which Smart SQL could
    /// not write.
    ///
    /// - Throws: `invalidSoupName`.
    public static func check(soupName: String) throws(Fault) { try SoupRules.check(name: soupName) }
}
