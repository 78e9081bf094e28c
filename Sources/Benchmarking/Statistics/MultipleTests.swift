/// Corrects probabilities for the number of rows that were tested.
package enum MultipleTests {
    /// Holm's step-down: adjusted probabilities in the given order. The probability that any row at or below alpha is
    /// wrong is at most alpha, whatever the dependence between rows. Source: Holm 1979.
    package static func holm(_ probabilities: [Double]) -> [Double] {
        let order = probabilities.indices.sorted { probabilities[$0] < probabilities[$1] }
        var adjusted = probabilities
        var greatest = 0.0
        for (rank, index) in order.enumerated() {
            greatest = max(greatest, min(1, Double(probabilities.count - rank) * probabilities[index]))
            adjusted[index] = greatest
        }
        return adjusted
    }

    /// The share of chance findings that a list of differences may hold.
    package static let listedShare = 0.05

    /// Benjamini's and Hochberg's step-up: of the rows at or below alpha a share of at most alpha is expected to be
    /// wrong. Source: B. & H. 1995.
    package static func benjaminiHochberg(_ probabilities: [Double]) -> [Double] {
        let order = probabilities.indices.sorted { probabilities[$0] > probabilities[$1] }
        var adjusted = probabilities
        var least = 1.0
        for (fromLast, index) in order.enumerated() {
            let rank = probabilities.count - fromLast
            least = min(least, Double(probabilities.count) / Double(rank) * probabilities[index])
            adjusted[index] = least
        }
        return adjusted
    }
}
