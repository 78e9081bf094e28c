import CSVText

extension CSVText {
    /// A number in its shortest exact form, without an exponent; empty for nil.
    static func number(_ value: Double?) -> String {
        guard let value, value.isFinite else {
            return ""
        }
        return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
