/// Writes figures for people: few digits, units that fit.
package enum Figures {
    /// `12.3 us`, `1.04 ms`, `2.5 s`.
    package static func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1_000: significant(nanoseconds) + " ns"
        case ..<1_000_000: significant(nanoseconds / 1_000) + " us"
        case ..<1_000_000_000: significant(nanoseconds / 1_000_000) + " ms"
        default: significant(nanoseconds / 1_000_000_000) + " s"
        }
    }

    /// `12.3 KB`, in powers of 1,000.
    package static func bytes(_ count: Double) -> String {
        switch count {
        case ..<1_000: fixed(count, 0) + " B"
        case ..<1_000_000: significant(count / 1_000) + " KB"
        case ..<1_000_000_000: significant(count / 1_000_000) + " MB"
        default: significant(count / 1_000_000_000) + " GB"
        }
    }

    package static func value(_ value: Double, _ metric: Metric) -> String {
        switch metric.unit {
        case "ns": time(value)
        case "bytes": bytes(value)
        default: value == value.rounded() ? fixed(value, 0) : significant(value)
        }
    }

    /// A ratio with two decimals, `1.57`; above 100 without decimals. `from 0` if there was nothing to divide by
    /// (`RatioEstimate.exact`).
    package static func ratio(_ ratio: Double) -> String {
        ratio == .greatestFiniteMagnitude ? "from 0" : ratio >= 100 ? fixed(ratio, 0) : fixed(ratio, 2)
    }

    /// `1.57 [1.52, 1.61]`.
    package static func ratio(_ estimate: RatioEstimate) -> String {
        guard let interval = estimate.interval else {
            return ratio(estimate.ratio) + " [?]"
        }
        if interval.low == interval.high {
            return ratio(estimate.ratio)
        }
        return "\(ratio(estimate.ratio)) [\(ratio(interval.low)), \(ratio(interval.high))]"
    }

    /// The same with three decimals, for means of many rows: `1.003 [0.994, 1.012]`.
    package static func mean(_ estimate: RatioEstimate) -> String {
        guard let interval = estimate.interval else {
            return fixed(estimate.ratio, 3) + " [?]"
        }
        return "\(fixed(estimate.ratio, 3)) [\(fixed(interval.low, 3)), \(fixed(interval.high, 3))]"
    }

    /// A share as per cent: `5 %`, `7.3 %`, `< 0.1 %`.
    package static func share(_ share: Double) -> String {
        if share > 0, share < 0.001 {
            return "< 0.1 %"
        }
        let percent = share * 100
        return fixed(percent, abs(percent - percent.rounded()) < 0.05 ? 0 : 1) + " %"
    }

    /// `1:05` minutes, or `40 s`.
    package static func duration(_ seconds: Double) -> String {
        guard !seconds.isNaN else {
            return "?"
        }
        let whole = Int(min(max(seconds.rounded(), 0), 1e9))
        return whole < 60 ? "\(whole) s" : "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60) min"
    }

    /// Three significant digits.
    static func significant(_ value: Double) -> String {
        switch abs(value) {
        case ..<10: fixed(value, 2)
        case ..<100: fixed(value, 1)
        default: fixed(value, 0)
        }
    }

    package static func fixed(_ value: Double, _ decimals: Int) -> String {
        let scale = [1.0, 10, 100, 1_000, 10_000][min(max(decimals, 0), 4)]
        guard value.isFinite, abs(value) < 1e15, abs(value) * scale < 9e18 else {
            return "?"
        }
        let scaled = Int64((abs(value) * scale).rounded())
        let sign = value < 0 && scaled != 0 ? "-" : ""
        guard decimals > 0 else {
            return sign + String(scaled)
        }
        let fraction = String(scaled % Int64(scale))
        return sign + String(scaled / Int64(scale)) + "."
            + String(repeating: "0", count: decimals - fraction.utf8.count) + fraction
    }
}
