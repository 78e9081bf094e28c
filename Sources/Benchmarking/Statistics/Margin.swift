/// The change of a ratio that is still "same": `share` 0.05 means a factor between 1/1.05 and 1.05.
package struct Margin: Sendable, Hashable {
    package let share: Double

    package init(_ share: Double) { self.share = max(0, share) }

    package var upper: Double { 1 + share }
    package var lower: Double { 1 / (1 + share) }

    /// A change that makes a row worth a second look: half of the margin.
    package var half: Margin { Margin(share / 2) }

    package func times(_ factor: Double) -> Margin { Margin(share * factor) }

    /// The margin with so much added to the logarithm of its upper bound.
    package func raised(byLog log: Double) -> Margin { Margin(upper * Exponential.exp(log) - 1) }

    /// Never narrower than 3 times the half width (of ln ratio) that the arm compared with itself had in stored runs.
    package func widened(toNullHalfWidth halfWidth: Double?) -> Margin {
        guard let halfWidth, halfWidth.isFinite else {
            return self
        }
        return Margin(max(share, Exponential.exp(3 * halfWidth) - 1))
    }
}
