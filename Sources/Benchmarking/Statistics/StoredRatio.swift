/// Compares a ratio measured now with one that was stored: by the difference of their logarithms.
package enum StoredRatio {
    /// How far ratios of unchanged rows move between runs, as a half width of ln ratio, until a row's history says
    /// otherwise.
    package static let unknownSpread = 0.02

    /// Estimates new / stored. The half widths of both and the spread between runs add as squares; nil if one of
    /// them has no interval.
    package static func change(
        new: RatioEstimate, stored: RatioEstimate, spread: Double = unknownSpread
    ) -> RatioEstimate {
        let centre = Exponential.log(new.ratio) - Exponential.log(stored.ratio)
        let pairs = min(new.pairs, stored.pairs)
        guard let a = new.interval, let b = stored.interval, let ofNew = new.halfWidth, let ofStored = stored.halfWidth
        else {
            return RatioEstimate(ratio: Exponential.exp(centre), interval: nil, pairs: pairs)
        }
        let half = (ofNew * ofNew + ofStored * ofStored + spread * spread).squareRoot()
        return RatioEstimate(
            ratio: Exponential.exp(centre),
            interval: .init(
                low: Exponential.exp(centre - half), high: Exponential.exp(centre + half), level: min(a.level, b.level)),
            pairs: pairs)
    }
}
