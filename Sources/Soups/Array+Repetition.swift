extension [Int64] {
    /// The ids in ascending order, each once. O(n log n).
    package var sortedWithoutRepetition: [Int64] {
        var last: Int64?
        return sorted().filter { id in
            defer { last = id }
            return id != last
        }
    }
}
