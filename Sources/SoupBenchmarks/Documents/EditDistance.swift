/// Counts how far two spellings are apart.
package enum EditDistance {
    /// How many bytes must be added, removed or changed to make one text of the other (Levenshtein).
    package static func of(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (index, byte) in one.enumerated() {
            var before = row[0]
            row[0] = index + 1
            for (column, second) in other.enumerated() {
                let diagonal = before
                before = row[column + 1]
                row[column + 1] = byte == second ? diagonal : 1 + min(diagonal, before, row[column])
            }
        }
        return row[other.count]
    }
}
