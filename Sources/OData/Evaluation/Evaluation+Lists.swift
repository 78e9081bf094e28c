/// The functions that also accept collections from version 4.01 on.
extension Evaluation {
    /// The first argument as a collection; nil if it is not a collection, or before version 4.01.
    func list(_ arguments: [Value]) -> [Value]? {
        guard version == .v401, let first = arguments.first else { return nil }
        return collection(first)
    }

    /// Calls a function of two collections. The result is nil if the first argument is not a collection, and null if
    /// only the second one is not.
    func withLists(_ arguments: [Value], _ body: ([Value], [Value]) -> Value) -> Value? {
        guard let first = list(arguments) else { return nil }
        guard arguments.count > 1, let second = collection(arguments[1]) else {
            return .null
        }
        return body(first, second)
    }

    /// Whether the members of a collection from an index on equal those of another one.
    func list(_ list: [Value], has other: [Value], at index: Int) -> Bool {
        index >= 0 && index + other.count <= list.count
            && other.indices.allSatisfy { areEqual(list[index + $0], other[$0]) }
    }

    /// The index of the first occurrence of a collection in another one.
    func firstIndex(of other: [Value], in list: [Value]) -> Int? {
        guard other.count <= list.count else { return nil }
        return (0...(list.count - other.count)).first { self.list(list, has: other, at: $0) }
    }

    /// Whether every member of the part can be paired with a different member of the whole.
    func hasSubset(_ all: [Value], _ part: [Value]) -> Bool {
        var rest = all
        for member in part {
            guard let index = rest.firstIndex(where: { areEqual($0, member) }) else { return false }
            rest.remove(at: index)
        }
        return true
    }

    /// Whether the members of the part occur in the whole in the same order, possibly with others between them.
    func hasSubsequence(_ all: [Value], _ part: [Value]) -> Bool {
        var next = 0
        for member in all where next < part.count && areEqual(member, part[next]) {
            next += 1
        }
        return next == part.count
    }
}
