import Soups

/// The functions that also accept collections from version 4.01 on.
extension Evaluation {
    /// The first argument as a collection; nil if it is not a collection, or before version 4.01.
    func list(_ arguments: [Value]) -> [Value]? {
        guard version == .v401, let first = arguments.first else { return nil }
        return collection(first)
    }

    /// The arguments of a function of two collections; nil if the first one is not a collection. The second one is nil
    /// if only that is not a collection.
    func lists(_ arguments: [Value]) -> (first: [Value], second: [Value]?)? {
        guard let first = list(arguments) else { return nil }
        return (first, arguments.count > 1 ? collection(arguments[1]) : nil)
    }

    /// Whether the members of a collection from an index on equal those of another one.
    mutating func list(_ list: [Value], has other: [Value], at index: Int) throws(Fault) -> Bool {
        guard index >= 0, index + other.count <= list.count else { return false }
        for offset in other.indices {
            guard try areEqual(list[index + offset], other[offset]) else { return false }
        }
        return true
    }

    /// The index of the first occurrence of a collection in another one.
    mutating func firstIndex(of other: [Value], in list: [Value]) throws(Fault) -> Int? {
        guard other.count <= list.count else { return nil }
        try budget.spend(list.count + other.count)
        if let keys = EqualityKey.keys(of: [list, other]) {
            return Self.firstIndex(of: keys[1], in: keys[0])
        }
        for index in 0...(list.count - other.count) {
            try budget.spend()
            if try self.list(list, has: other, at: index) {
                return index
            }
        }
        return nil
    }

    /// Finds keys in linear time (Knuth, Morris and Pratt).
    private static func firstIndex(of needle: [EqualityKey], in keys: [EqualityKey]) -> Int? {
        guard !needle.isEmpty else {
            return 0
        }
        var borders = [0]
        var length = 0
        for index in 1..<needle.count {
            while length > 0, needle[index] != needle[length] {
                length = borders[length - 1]
            }
            length += needle[index] == needle[length] ? 1 : 0
            borders.append(length)
        }
        length = 0
        for (index, key) in keys.enumerated() {
            while length > 0, key != needle[length] {
                length = borders[length - 1]
            }
            length += key == needle[length] ? 1 : 0
            if length == needle.count {
                return index + 1 - length
            }
        }
        return nil
    }

    /// Whether every member of the part can be paired with a different member of the whole.
    mutating func hasSubset(_ all: [Value], _ part: [Value]) throws(Fault) -> Bool {
        guard part.count <= all.count else {
            return false
        }
        try budget.spend(all.count + part.count)
        if let keys = EqualityKey.keys(of: [all, part]) {
            var counts: [EqualityKey: Int] = [:]
            for key in keys[0] {
                counts[key, default: 0] += 1
            }
            for key in keys[1] {
                guard let count = counts[key], count > 0 else {
                    return false
                }
                counts[key] = count - 1
            }
            return true
        }
        var rest = all
        search: for member in part {
            for index in rest.indices where try areEqual(rest[index], member) {
                rest.swapAt(index, rest.count - 1)
                rest.removeLast()
                continue search
            }
            return false
        }
        return true
    }

    /// Whether the members of the part occur in the whole in the same order, possibly with others between them.
    mutating func hasSubsequence(_ all: [Value], _ part: [Value]) throws(Fault) -> Bool {
        var next = 0
        for member in all where next < part.count {
            if try areEqual(member, part[next]) {
                next += 1
            }
        }
        return next == part.count
    }
}
