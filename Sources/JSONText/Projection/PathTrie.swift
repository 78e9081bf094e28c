/// The keys of a path set as a tree. The paths are numbered so that those below a node follow each other.
struct PathTrie: Sendable {
    struct Node: Sendable, BitwiseCopyable {
        var firstEdge = 0
        var edgeCount = 0
        /// A bit for the length of each key of a child (bit 63 for all longer keys). Most names of a document fail this
        /// test.
        var lengths: UInt64 = 0
        /// The index in `order` of the first path that ends at this node. The paths that end below the node follow.
        var firstPath = 0
        var endingPaths = 0
        var pathsWithin = 0
        var isSystem = false
    }

    struct Edge: Sendable, BitwiseCopyable {
        /// The first eight bytes of the key, see `NameFingerprint.prefix`.
        let prefix: UInt64
        let length: Int
        let keyStart: Int
        let child: Int32
    }

    private struct Branch {
        var keys: [[UInt8]] = []
        var children: [Int] = []
        var paths: [Int] = []
        var isSystem = false
    }

    private(set) var nodes: [Node] = []
    private(set) var edges: [Edge] = []
    /// The bytes of all keys.
    private(set) var keys: [UInt8] = []
    /// The index of each path, in the order of the nodes.
    private(set) var order: [Int32] = []

    private var branches = [Branch()]

    mutating func insert(_ keys: [[UInt8]], path: Int, isSystem: Bool = false) {
        var branch = 0
        for key in keys {
            if let known = branches[branch].keys.firstIndex(of: key) {
                branch = branches[branch].children[known]
            } else {
                branches.append(Branch())
                branches[branch].keys.append(key)
                branches[branch].children.append(branches.count - 1)
                branch = branches.count - 1
            }
        }
        branches[branch].paths.append(path)
        if isSystem {
            branches[branch].isSystem = true
        }
    }

    /// Numbers the nodes, each before its children.
    mutating func number() {
        nodes = Array(repeating: Node(), count: branches.count)
        for (index, branch) in branches.enumerated() {
            nodes[index].firstEdge = edges.count
            nodes[index].edgeCount = branch.keys.count
            nodes[index].isSystem = branch.isSystem
            for (key, child) in zip(branch.keys, branch.children) {
                nodes[index].lengths |= 1 << UInt64(min(key.count, 63))
                edges.append(
                    Edge(prefix: Self.prefix(key), length: key.count, keyStart: keys.count, child: Int32(child)))
                keys += key
            }
        }
        orderPaths()
        branches = []
    }

    private mutating func orderPaths() {
        // `~index` on the stack means that the node at `index` ends here.
        var pending = [0]
        while let next = pending.popLast() {
            if next < 0 {
                nodes[~next].pathsWithin = order.count - nodes[~next].firstPath
                continue
            }
            nodes[next].firstPath = order.count
            nodes[next].endingPaths = branches[next].paths.count
            order += branches[next].paths.map { Int32($0) }
            pending.append(~next)
            pending += branches[next].children
        }
    }

    private static func prefix(_ key: [UInt8]) -> UInt64 {
        var prefix: UInt64 = 0
        for (index, byte) in key.prefix(8).enumerated() {
            prefix |= UInt64(byte) << UInt64(8 * index)
        }
        return prefix
    }
}
