/// Maps positive numbers to coordinates on a line, by their logarithms.
struct LogAxis {
    private let least: Double
    private let most: Double
    private let low: Double
    private let high: Double
    private let start: Double
    private let width: Double

    /// - Parameter endsAreRound: Whether the axis ends at the round numbers around the values, and not close to them.
    init(_ values: [Double], from start: Double, width: Double, endsAreRound: Bool = false) {
        let positive = values.filter { $0 > 0 && $0.isFinite }
        let (first, last) = (positive.min() ?? 0.5, positive.max() ?? 2)
        least = endsAreRound ? Self.round.last { $0 <= first * 1.0001 } ?? first : first
        most = endsAreRound ? Self.round.first { $0 >= last / 1.0001 } ?? last : last
        low = Exponential.log(least / 1.05)
        high = Exponential.log(most * 1.05)
        self.start = start
        self.width = width
    }

    func coordinate(of value: Double) -> Double {
        guard value > 0, value.isFinite else {
            return start
        }
        return start + width * min(1, max(0, (Exponential.log(value) - low) / max(high - low, 1e-9)))
    }

    /// 1, 2 and 5 with every power of ten, ascending.
    private static let round: [Double] = (-9...12).flatMap { power in
        [1.0, 2, 5].map { $0 * Exponential.power(10, Double(power)) }
    }

    /// Round numbers within the axis, not too many; the ends of the axis if there are too few.
    var ticks: [Double] {
        let all = Self.round
        let within = all.filter { Exponential.log($0) >= low - 1e-9 && Exponential.log($0) <= high + 1e-9 }
        if within.count < 2 {
            return most / least > 1.02
                ? [least] + within.filter { $0 / least > 1.1 && most / $0 > 1.1 } + [most] : [least]
        }
        if within.count <= 8 {
            return within
        }
        let tens = within.filter { value in all.enumerated().contains { $0.element == value && $0.offset % 3 == 0 } }
        return tens.count <= 8 ? tens : tens.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    }
}
