/// What a call gives its caller, with what it tells an observer.
struct Reported<Value> {
    let value: Value
    let report: CallReport

    init(_ value: Value, _ report: CallReport) {
        self.value = value
        self.report = report
    }

    init(_ value: Value, rows: Int = 0) { self.init(value, CallReport(rows: rows)) }
}
