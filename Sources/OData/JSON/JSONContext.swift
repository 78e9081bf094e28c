/// Reads the parts of a context URL.
enum JSONContext {
    /// The URL before `$metadata`: the base of relative URLs.
    static func base(of context: String) -> BaseURL? {
        guard let start = offset(of: "$metadata", in: context), start > 0 else { return nil }
        return BaseURL(String(decoding: context.utf8.prefix(start), as: UTF8.self))
    }

    /// Whether a word is anywhere in the context URL, compared by bytes.
    static func contains(_ context: String, _ word: String) -> Bool { offset(of: word, in: context) != nil }

    private static func offset(of word: String, in context: String) -> Int? {
        withBytes(of: context) { TextSearch(word).first(in: $0) }
    }

    /// Whether the context URL ends with a word such as `$delta`: `#Set/$delta` or, since 4.01, `#$delta`.
    static func ends(_ context: String, with kind: String) -> Bool {
        context.utf8.count > kind.utf8.count
            && context.utf8.suffix(kind.utf8.count + 1).dropFirst().elementsEqual(kind.utf8)
            && ["/", "#"].contains(String(context.dropLast(kind.count).suffix(1)))
    }

    /// The property that a context URL such as `#Items(1)/Name` leads to; `value` if it names a type or nothing.
    static func propertyName(_ context: String?) -> String {
        let name = context.map { $0.split(separator: "/").last.map(String.init) ?? "" } ?? ""
        return name.isEmpty || contains(name, "#") || contains(name, "(") ? "value" : decodedName(Array(name.utf8))
    }

    /// A name of a context URL. Since 4.01 its fragment is not percent-encoded, but libraries that write URLs encode
    /// what is not ASCII. A name with a broken escape is taken as it is.
    static func decodedName(_ written: [UInt8]) -> String {
        guard written.contains(UInt8(ascii: "%")) else { return String(decoding: written, as: UTF8.self) }
        let decoded = try? PercentDecoded(written[...], plusAsSpace: false)
        return decoded?.text ?? String(decoding: written, as: UTF8.self)
    }

    /// The entity set at the start of a context URL such as `#Items/$entity` or `#Items(Name)/$delta`; nil for types
    /// and longer paths.
    static func entitySet(of context: String) -> String? {
        guard let hash = context.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
        let fragment = context[context.utf8.index(after: hash)...]
        let name = fragment.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "(") }
        var rest = fragment[name.endIndex...]
        if rest.utf8.first == UInt8(ascii: "("), let close = rest.utf8.lastIndex(of: UInt8(ascii: ")")) {
            rest = rest[rest.utf8.index(after: close)...]
        }
        let isSet = rest.isEmpty || rest.utf8.starts(with: "/$".utf8) || rest.utf8.starts(with: "/@".utf8)
        guard isSet, let first = name.first, first != UInt8(ascii: "$"), !name.contains(UInt8(ascii: ".")),
            !name.elementsEqual("Collection".utf8)
        else {
            return nil
        }
        return decodedName(Array(name))
    }

    /// Whether a collection with this context URL may have a null among its elements: a set of entities has none.
    static func mayHoldNull(_ context: String?) -> Bool {
        context.map { entitySet(of: $0) == nil && !ends($0, with: "$delta") } ?? true
    }

    /// Whether a context URL leads beyond the entities of a set: `#Orders(1)/Items/$entity`. The name of a derived type
    /// leads to entities of the set.
    static func leadsBeyondSet(_ context: String) -> Bool {
        guard let hash = context.utf8.firstIndex(of: UInt8(ascii: "#")) else { return false }
        let segments = PayloadTypes.segments(context[context.utf8.index(after: hash)...])
        return segments.dropFirst().contains { segment in
            !"$@".utf8.contains(segment.utf8.first ?? UInt8(ascii: "$")) && !segment.utf8.contains(UInt8(ascii: "."))
        }
    }

    /// Whether the context is that of one entity: `#Set/$entity`, or `#Set/@Element` up to version 3.0.
    static func isOfEntity(_ context: String) -> Bool {
        ends(context, with: "$entity") || ends(context, with: "@Element")
    }

    /// Whether the context is that of a collection of values, and not of all entities, whose type has a name in the
    /// same namespace.
    static func isOfPrimitives(_ context: String) -> Bool {
        contains(context, "#Collection(Edm.") && !contains(context, "#Collection(Edm.EntityType)")
    }
}
