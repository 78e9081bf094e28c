import Soups

/// The members that `$select` keeps of an object, as a tree of its paths.
struct Selection: Sendable {
    /// Whether all members are kept.
    private(set) var isAll = false
    /// The names in the order of the text.
    private(set) var names: [String] = []
    /// For each name, what is kept of its value: all of it, a part, or what nested options leave.
    private var parts: [Part] = []
    /// The positions of the names, once there are so many that looking at each of them takes longer.
    private var positions: [ByteKey: Int] = [:]
    /// The only types for whose instances a name was selected; absent for a name that was selected of all instances.
    private var types: [ByteKey: [String]] = [:]
    /// What is kept of instances of some types, because a path ends in the type.
    private(set) var instances: [Instances] = []
    private static let maximumSearched = 8
    /// Whether options are applied to a selected member, whose paths may start at the entity.
    private(set) var hasOptions = false

    indirect enum Part: Sendable {
        case whole
        case members(Selection)
        case options(PreparedOptions)

        /// What is kept of a member of a value of which this is kept; nil for nothing.
        ///
        /// - Parameter declared: The declared type of the value.
        func part<Node: EntityNode>(
            of name: String, in value: Node, declared: String?, _ model: EdmModel?
        ) -> Part? {
            let selection: Selection
            switch self {
            case .whole: return .whole
            case .members(let members): selection = members
            case .options(let options):
                guard let own = options.selection else {
                    return .whole
                }
                selection = own
            }
            return selection.selects(name, of: value, declared: declared, in: model) ? selection.part(ofOwn: name) : nil
        }
    }

    /// The instances of a type, which are kept whole, or as options say.
    struct Instances: Sendable {
        let type: String
        /// The declared type of the value; nil if it is not known.
        let declared: String?
        let options: PreparedOptions?

        /// Whether a value is one of them, or has an unknown type.
        func mayInclude<Node: EntityNode>(_ value: Node, in model: EdmModel?) -> Bool {
            value.mayBeInstance(of: type, declared: declared, in: model)
        }
    }

    init(all: Bool = false) { isAll = all }

    /// Adds a path. Operations (`Ns.*`) are not data and select nothing.
    ///
    /// - Parameters:
    ///   - declared: The type that is declared for what the path leads to.
    ///   - type: The type before the path, which an instance must have.
    mutating func add(
        _ segments: ArraySlice<String>, options: PreparedOptions?, declared: String?, after type: String? = nil
    ) {
        hasOptions = hasOptions || options != nil
        guard let first = segments.first else { return }
        if Self.isQualified(first) {
            return add(segments.dropFirst(), options: options, declared: declared, after: first)
        }
        if first == "*" {
            isAll = true
            return
        }
        let known = position(of: first)
        note(type, of: ByteKey(first), isNew: known == nil)
        let rest = segments.dropFirst()
        guard !rest.isEmpty else {
            set(options.map { .options($0) } ?? .whole, of: first, at: known)
            return
        }
        var inner = Selection()
        switch known.map({ parts[$0] }) {
        case .whole, .options: return
        case .members(let selection): inner = selection
        case nil: break
        }
        if let known {
            // Released, so that no change copies the names inside.
            parts[known] = .whole
        }
        if rest.count == 1, let type = rest.first, Self.isQualified(type) {
            inner.instances.append(Instances(type: type, declared: declared, options: options))
        } else {
            inner.add(rest, options: options, declared: declared)
        }
        set(.members(inner), of: first, at: known)
    }

    /// Whether a segment is a type or an operation.
    static func isQualified(_ segment: String) -> Bool {
        segment.utf8.contains(UInt8(ascii: ".")) && segment.utf8.first != UInt8(ascii: "@")
    }

    private mutating func note(_ type: String?, of name: ByteKey, isNew: Bool) {
        if let type, isNew || types[name] != nil {
            types[name, default: []].append(type)
        } else {
            types[name] = nil
        }
    }

    /// Whether a name is selected of an instance, which it is not if it was selected of instances of other types only.
    /// A value whose type is unknown has all that is selected.
    func selects<Node: EntityNode>(_ name: String, of instance: Node, declared: String?, in model: EdmModel?) -> Bool {
        guard !types.isEmpty, !isAll, let types = types[ByteKey(name)] else { return true }
        return types.contains { instance.mayBeInstance(of: $0, declared: declared, in: model) }
    }

    private mutating func set(_ part: Part, of name: String, at known: Int?) {
        if let known {
            parts[known] = part
            return
        }
        positions[ByteKey(name)] = names.count
        names.append(name)
        parts.append(part)
    }

    private func position(of name: String) -> Int? {
        guard names.count <= Self.maximumSearched else {
            return positions[ByteKey(name)]
        }
        return names.firstIndex { $0.hasBytes(of: name) }
    }

    /// What is kept of a member; nil if nothing.
    func part(of name: String) -> Part? { position(of: name).map { parts[$0] } ?? (isAll ? .whole : nil) }

    /// Whether a member has the number of the members of a collection whose options count them again.
    func countsAnew(_ name: String) -> Bool {
        let suffix = "@odata.count".utf8
        guard isAll, hasOptions, name.utf8.count > suffix.count, name.utf8.suffix(suffix.count).elementsEqual(suffix),
            case .options(let options)? = part(of: String(Substring(name.utf8.dropLast(suffix.count))))
        else { return false }
        return options.counts
    }

    /// What is kept of a member that is not expanded. `*` keeps it whole, also if a path leads into it.
    func part(ofOwn name: String) -> Part? {
        guard let position = position(of: name) else {
            return isAll ? .whole : nil
        }
        if isAll, case .members = parts[position] {
            return .whole
        }
        return parts[position]
    }
}
