/// Fits time = factor * size^exponent through measurements at several sizes: 1 is linear, 2 quadratic, near 0
/// independent of the size.
package struct GrowthFit: Sendable, Hashable {
    package let exponent: Double
    package let factor: Double

    /// Fits by least squares on the logarithms; nil with fewer than two different positive sizes.
    package init?(_ points: [(size: Double, value: Double)]) {
        let logs = points.compactMap {
            $0.size > 0 && $0.value > 0 ? (x: Exponential.log($0.size), y: Exponential.log($0.value)) : nil
        }
        guard logs.count >= 2 else { return nil }
        let count = Double(logs.count)
        let meanX = logs.reduce(0) { $0 + $1.x } / count
        let meanY = logs.reduce(0) { $0 + $1.y } / count
        let spread = logs.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
        guard spread > 1e-12 else { return nil }
        exponent = logs.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / spread
        factor = Exponential.exp(meanY - exponent * meanX)
    }

    package func value(at size: Double) -> Double { factor * Exponential.power(size, exponent) }
}
