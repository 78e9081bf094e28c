import JSONText

/// The suite's verdicts in the form of run.json.
extension SuiteVerdict {
    var json: JSONValue {
        func number(_ value: Double?) -> JSONValue { value.flatMap { JSONNumber($0) }.map { .number($0) } ?? .null }
        return [
            "what": .string(what), "rows": .number(JSONNumber(Int64(rows))),
            "rounds": .number(JSONNumber(Int64(estimate.pairs))),
            "ratio": number(estimate.ratio), "lo": number(estimate.interval?.low),
            "hi": number(estimate.interval?.high),
            "level": number(estimate.interval?.level), "margin": number(Self.margin.share), "gates": .bool(gates),
            "verdict": .string(verdict.rawValue),
        ]
    }

    /// Reads a verdict back; nil if one of its figures is missing or invalid.
    init?(json: JSONValue) {
        func count(_ name: String) -> Int? {
            json[name]?.int64.flatMap { Int(exactly: $0) }.flatMap { $0 < 0 ? nil : $0 }
        }
        func ratio(_ name: String) -> Double? { json[name]?.double.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }
        guard let what = json["what"]?.string, let rows = count("rows"), let rounds = count("rounds"),
            let mean = ratio("ratio"), let gates = json["gates"]?.bool
        else {
            return nil
        }
        var interval: RatioEstimate.Interval?
        if json["lo"]?.isNull != true {
            guard let low = ratio("lo"), let high = ratio("hi"), let level = ratio("level"), low <= high, level <= 1
            else {
                return nil
            }
            interval = .init(low: low, high: high, level: level)
        }
        self.init(
            what: what, rows: rows, estimate: RatioEstimate(ratio: mean, interval: interval, pairs: rounds),
            gates: gates)
    }
}
