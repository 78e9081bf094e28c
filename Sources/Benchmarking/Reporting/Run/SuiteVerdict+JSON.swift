import JSONText

/// The suite's verdicts as run.json has them.
extension SuiteVerdict {
    var json: JSONValue {
        func number(_ value: Double?) -> JSONValue { value.flatMap { JSONNumber($0) }.map { .number($0) } ?? .null }
        return [
            "what": .string(what), "rows": .number(JSONNumber(Int64(rows))), "rounds": .number(JSONNumber(Int64(estimate.pairs))),
            "ratio": number(estimate.ratio), "lo": number(estimate.interval?.low), "hi": number(estimate.interval?.high),
            "level": number(estimate.interval?.level), "margin": number(Self.margin.share), "gates": .bool(gates), "verdict": .string(verdict.rawValue),
        ]
    }

    /// Reads a verdict back; nil where one of its figures is missing.
    init?(json: JSONValue) {
        guard let what = json["what"]?.string, let rows = json["rows"]?.int64, let rounds = json["rounds"]?.int64, let ratio = json["ratio"]?.double else { return nil }
        var interval: RatioEstimate.Interval?
        if let low = json["lo"]?.double, let high = json["hi"]?.double, let level = json["level"]?.double { interval = .init(low: low, high: high, level: level) }
        self.init(
            what: what, rows: Int(clamping: rows), estimate: RatioEstimate(ratio: ratio, interval: interval, pairs: Int(clamping: rounds)),
            gates: json["gates"]?.bool ?? true)
    }
}
