/// Follows the paths of a trie while the grammar walker reads a document, and collects what else the store needs to
/// know about an entry.
///
/// Each open container has the trie node that its members or elements continue from, or -1. An array has the same node
/// as its elements; their values are collected as parts until the outermost such array ends.
struct ProjectionEngine: ~Copyable, GrammarVisitor {
    struct Container: BitwiseCopyable {
        let outerNode: Int32
        let outerIsArray: Bool
        /// The node of the paths that end with this container, or -1, and the offset of the container.
        let endingNode: Int32
        let start: Int
    }

    struct Span: BitwiseCopyable {
        let start: Int
        let end: Int
    }

    let pathCount: Int
    private var nodes: GrowableStack<PathTrie.Node>
    private var edges: GrowableStack<PathTrie.Edge>
    private var keys: GrowableStack<UInt8>
    private var order: GrowableStack<Int32>
    private var tracker = NameTracker()
    private var known = KnownNames()
    /// The starts of the names of the outermost object that were the known ones.
    private var followed = GrowableStack<Int>(capacity: 16)
    /// Whether all names of the outermost object so far were the known ones.
    private var isFollowing = false
    private var open = GrowableStack<Container>(capacity: 64)

    /// The node of the innermost container, the node that the last name led to, and whether the innermost container is
    /// an array.
    private var node: Int32 = -1
    private var named: Int32 = 0
    private var inArray = false
    private var collecting = 0
    private var lastNUL = -1
    private var runStart = -1
    private var text: UnsafePointer<UInt8>
    private var scratch: [UInt8] = []

    var values: GrowableStack<ProjectedValue>
    var parts = GrowableStack<CollectedPart>(capacity: 64)
    /// The ranges of members of the outermost object that are not system fields, each from the quote of the first name
    /// to the end of the last value.
    var runs = GrowableStack<Span>(capacity: 4)
    /// The names that are written with escapes, with their quotes, in order.
    var escapedNames = GrowableStack<Span>(capacity: 4)

    init(_ paths: JSONPathSet) {
        let trie = paths.trie
        pathCount = trie.order.count
        nodes = GrowableStack(capacity: trie.nodes.count)
        for node in trie.nodes {
            nodes.append(node)
        }
        edges = GrowableStack(capacity: trie.edges.count)
        for edge in trie.edges {
            edges.append(edge)
        }
        keys = GrowableStack(capacity: trie.keys.count)
        for byte in trie.keys {
            keys.append(byte)
        }
        order = GrowableStack(capacity: trie.order.count)
        for path in trie.order {
            order.append(path)
        }
        values = GrowableStack(capacity: pathCount)
        // Any valid address: each scan sets its own before it reads.
        text = UnsafePointer(keys.base)
    }

    /// Reads one value at the scanner's position.
    mutating func scan(_ scanner: inout ByteScanner, maximumDepth: Int) throws(ScanFailure) {
        text = scanner.base
        tracker.reset()
        open.shrink(to: 0)
        parts.shrink(to: 0)
        runs.shrink(to: 0)
        escapedNames.shrink(to: 0)
        values.shrink(to: 0)
        for _ in 0..<pathCount {
            values.append(ProjectedValue())
        }
        followed.shrink(to: 0)
        isFollowing = known.count > 0
        (node, named, inArray, collecting, lastNUL, runStart) = (-1, 0, false, 0, -1, -1)
        try GrammarWalker.walk(&scanner, &self, maximumDepth: maximumDepth)
    }

    // MARK: - Events of the walker

    @inline(__always) mutating func knownName(in scanner: ByteScanner, previousEnd: Int) throws(ScanFailure) -> Int {
        guard isFollowing, open.count == 1 else {
            return -1
        }
        let index = followed.count
        let start = scanner.position
        let end = index < known.count ? known.end(of: index, in: scanner.base, from: start, limit: scanner.end) : -1
        guard end >= 0 else {
            try stopFollowing(scanner)
            return -1
        }
        followed.append(start &+ 1)
        named = known[index].node
        member(from: start, previousEnd: previousEnd)
        return end
    }

    @inline(__always) mutating func name(
        _ token: StringToken, in scanner: ByteScanner, previousEnd: Int
    ) throws(ScanFailure) {
        if token.isEscaped {
            try escapedName(token, in: scanner)
        } else {
            let prefix = NameFingerprint.prefix(scanner.base, from: token.start, to: token.end, limit: scanner.end)
            let fingerprint = NameFingerprint.fingerprint(
                scanner.base, from: token.start, to: token.end, prefix: prefix)
            try tracker.insert(token, fingerprint, scanner.base)
            named = node < 0 ? -1 : child(of: node, scanner.base + token.start, token.end &- token.start, prefix)
        }
        if open.count == 1 {
            member(from: token.start - 1, previousEnd: previousEnd)
        }
    }

    @inline(__always) mutating func string(_ token: StringToken, in scanner: ByteScanner) {
        lastNUL = scanner.lastNUL
        if endsPath {
            end(named, .string, token.start - 1, token.end + 1, isEscaped: token.isEscaped)
        }
    }

    @inline(__always) mutating func number(from start: Int, to end: Int, isInteger: Bool) {
        if endsPath {
            self.end(named, .number, start, end, isInteger: isInteger)
        }
    }

    @inline(__always) mutating func word(_ word: JSONWord, from start: Int) {
        guard endsPath else { return }
        let kind: ProjectedValue.Kind = word == .null ? .null : word == .true ? .true : .false
        end(named, kind, start, start + word.length)
    }

    @inline(__always) mutating func beginObject(at start: Int) {
        tracker.beginObject()
        beginContainer(at: start, isArray: false)
    }

    @inline(__always) mutating func endObject(at end: Int, previousEnd: Int) {
        if open.count == 1 {
            if runStart >= 0 {
                runs.append(Span(start: runStart, end: previousEnd))
            }
            if isFollowing {
                known.noteSame()
            } else {
                learnNames()
            }
        }
        tracker.endObject()
        endContainer(.object, at: end)
    }

    @inline(__always) mutating func beginArray(at start: Int) {
        beginContainer(at: start, isArray: true)
        if node >= 0 {
            mark(.begin)
        }
    }

    @inline(__always) mutating func endArray(at end: Int) {
        if node >= 0 {
            mark(.end)
        }
        endContainer(.array, at: end)
    }

    // MARK: - Containers

    /// Whether a path ends at the value that starts now.
    @inline(__always) private var endsPath: Bool { !inArray && named >= 0 && nodes[Int(named)].endingPaths > 0 }

    @inline(__always) private mutating func beginContainer(at start: Int, isArray: Bool) {
        let target = inArray ? node : named
        let endingNode = endsPath ? target : -1
        open.append(Container(outerNode: node, outerIsArray: inArray, endingNode: endingNode, start: start))
        node = target >= 0 && nodes[Int(target)].edgeCount > 0 ? target : -1
        inArray = isArray
    }

    @inline(__always) private mutating func endContainer(_ kind: ProjectedValue.Kind, at end: Int) {
        let container = open.removeLast()
        node = container.outerNode
        inArray = container.outerIsArray
        if container.endingNode >= 0 {
            self.end(container.endingNode, kind, container.start, end)
        }
    }

    /// Appends the start or end of an array to the parts of all paths below its node.
    @inline(never) private mutating func mark(_ kind: CollectedPart.Kind) {
        collecting += kind == .begin ? 1 : -1
        let within = nodes[Int(node)]
        for position in within.firstPath + within.endingPaths..<within.firstPath + within.pathsWithin {
            append(CollectedPart(kind: kind, start: 0, end: 0), to: Int(order[position]))
        }
    }

    private mutating func append(_ part: CollectedPart, to path: Int) {
        let index = Int32(parts.count)
        parts.append(part)
        if values[path].lastPart >= 0 {
            parts.base[Int(values[path].lastPart)].next = index
        } else {
            values.base[path].firstPart = index
        }
        values.base[path].lastPart = index
    }

    // MARK: - Paths

    @inline(__always) private func child(
        of node: Int32, _ name: UnsafePointer<UInt8>, _ length: Int, _ prefix: UInt64
    ) -> Int32 {
        let parent = nodes.base + Int(node)
        guard parent.pointee.lengths & (1 &<< UInt64(truncatingIfNeeded: min(length, 63))) != 0 else {
            return -1
        }
        for index in parent.pointee.firstEdge..<parent.pointee.firstEdge + parent.pointee.edgeCount {
            let edge = edges.base + index
            guard edge.pointee.prefix == prefix, edge.pointee.length == length else { continue }
            if length <= 8 || SameBytes.compare(name + 8, keys.base + edge.pointee.keyStart + 8, length - 8) {
                return edge.pointee.child
            }
        }
        return -1
    }

    /// Records a value for the paths that end at a node.
    @inline(never) private mutating func end(
        _ node: Int32, _ kind: ProjectedValue.Kind, _ start: Int, _ end: Int, isInteger: Bool = false,
        isEscaped: Bool = false
    ) {
        let nul = lastNUL >= start ? firstNUL(from: start, to: end) : -1
        let ending = nodes[Int(node)]
        for position in ending.firstPath..<ending.firstPath + ending.endingPaths {
            let path = Int(order[position])
            if values[path].nul < 0 {
                values.base[path].nul = nul
            }
            if collecting > 0 {
                guard kind != .null else { continue }
                values.base[path].kind = .collected
                append(CollectedPart(kind: partKind(kind, isEscaped: isEscaped), start: start, end: end), to: path)
            } else {
                values.base[path].kind = kind
                values.base[path].start = start
                values.base[path].end = end
                values.base[path].isInteger = isInteger
                values.base[path].isEscaped = isEscaped
            }
        }
    }

    private func partKind(_ kind: ProjectedValue.Kind, isEscaped: Bool) -> CollectedPart.Kind {
        kind == .object || kind == .array ? .container : isEscaped ? .escapedValue : .value
    }

    /// The offset of the first escaped U+0000 in a range. A backslash occurs only in strings.
    private func firstNUL(from start: Int, to end: Int) -> Int {
        var index = start
        while index < end {
            guard text[index] == 0x5C else {
                index += 1
                continue
            }
            if text[index + 1] == 0x75, (2..<6).allSatisfy({ text[index + $0] == 0x30 }) {
                return index
            }
            index += 2
        }
        return -1
    }

    // MARK: - Names

    /// Gives the names that were not checked for duplicates to the tracker, because another one follows.
    @inline(never) private mutating func stopFollowing(_ scanner: ByteScanner) throws(ScanFailure) {
        isFollowing = false
        for index in 0..<followed.count {
            let start = followed[index]
            let token = StringToken(start: start, end: start + known[index].length - 3, isEscaped: false)
            try tracker.insert(token, in: scanner)
        }
    }

    /// Remembers the names of the outermost object, which ends.
    @inline(never) private mutating func learnNames() {
        guard known.wantsOthers() else { return }
        known.removeAll()
        for index in 0..<tracker.namesOfObject {
            let token = tracker.name(ofObject: index)
            // The text goes on at least to the quote after the name.
            let prefix = NameFingerprint.prefix(text, from: token.start, to: token.end, limit: token.end + 1)
            let child = node < 0 ? -1 : child(of: node, text + token.start, token.end - token.start, prefix)
            guard known.append(token, node: child, in: text) else { break }
        }
    }

    @inline(never) private mutating func escapedName(_ token: StringToken, in scanner: ByteScanner) throws(ScanFailure)
    {
        lastNUL = scanner.lastNUL
        escapedNames.append(Span(start: token.start - 1, end: token.end + 1))
        scratch.removeAll(keepingCapacity: true)
        StringDecoding.append(scanner.base, from: token.start, to: token.end, into: &scratch)
        let (prefix, fingerprint) = NameFingerprint.fingerprint(scratch)
        try tracker.insert(token, fingerprint, scanner.base)
        named = scratch.withUnsafeBufferPointer { name in
            // The buffer of a name has no address if the name is empty.
            guard node >= 0, let base = name.baseAddress else {
                return -1
            }
            return child(of: node, base, name.count, prefix)
        }
    }

    /// Records the ranges of members that are not system fields.
    @inline(__always) private mutating func member(from start: Int, previousEnd: Int) {
        if named >= 0, nodes[Int(named)].isSystem {
            if runStart >= 0 {
                runs.append(Span(start: runStart, end: previousEnd))
            }
            runStart = -1
        } else if runStart < 0 {
            runStart = start
        }
    }
}
