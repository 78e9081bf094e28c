import Soups

/// The members that `$select` keeps of an object, as a tree of its paths.
struct Selection: Sendable {
    /// Whether all members are kept.
    private(set) var isAll = false
    /// The names in the order of the text.
    private(set) var names: [String] = []
    /// For each name, what is kept of its value: all of it, a part, or what nested options leave.
    private(set) var parts: [ByteKey: Part] = [:]

    indirect enum Part: Sendable {
        case whole
        case members(Selection)
        case options(PreparedOptions)
    }

    init(all: Bool = false) { isAll = all }

    /// Adds a path. Types in it are passed over; operations (`Ns.*`) are not data and select nothing.
    mutating func add(_ segments: ArraySlice<String>, options: PreparedOptions?) {
        guard let first = segments.first else { return }
        if first.utf8.contains(UInt8(ascii: ".")), first.utf8.first != UInt8(ascii: "@") {
            return add(segments.dropFirst(), options: options)
        }
        if first == "*" {
            isAll = true
            return
        }
        let key = ByteKey(first)
        if parts[key] == nil {
            names.append(first)
        }
        let rest = segments.dropFirst()
        guard !rest.isEmpty else {
            parts[key] = options.map { .options($0) } ?? .whole
            return
        }
        var inner = Selection()
        switch parts[key] {
        case .whole, .options: return
        case .members(let known): inner = known
        case nil: break
        }
        inner.add(rest, options: options)
        parts[key] = .members(inner)
    }

    /// What is kept of a member; nil if nothing.
    func part(of name: String) -> Part? { parts[ByteKey(name)] ?? (isAll ? .whole : nil) }

    /// What is kept of a member that is not expanded. `*` keeps it whole, also if a path leads into it.
    func part(ofOwn name: String) -> Part? {
        if isAll, case .members? = parts[ByteKey(name)] {
            return .whole
        }
        return part(of: name)
    }

    /// Whether a member of a stored row is not a property. Such members are kept, after the properties.
    static func isSystem(_ name: String) -> Bool {
        name.utf8.first == UInt8(ascii: "_") && systemNames.contains { $0.hasBytes(of: name) }
    }

    private static let systemNames = [
        "_soupEntryId", "_soupLastModifiedDate", "__key__", "__local__", "__locally_created__", "__locally_updated__",
        "__locally_deleted__", "__last_error__", "__odata__", "__conflict__",
    ]
}
