import OData
import Soups

extension Cell {
    /// The bounds of a comparison with a date of the years 1 to 9999.
    func date(_ kind: ExpressionNode.Kind, _ date: EdmDate) -> Bounds? {
        guard fits(.date), self.kind == .text || self.kind == .json, (1...9_999).contains(date.year) else { return nil }
        let text = date.description
        switch kind {
        case .equal: return bounds(test("\(sql) = ?", .text(text)), sure: .always, .date, isPoint: true)
        case .greater: return bounds(.any([test("\(sql) > ?", .text(text)), laterYears(text)]), sure: .never, .date)
        case .greaterOrEqual:
            return bounds(.any([test("\(sql) >= ?", .text(text)), laterYears(text)]), sure: .never, .date)
        case .less: return bounds(.all([test("\(sql) < ?", .text(text)), onlyTexts]), sure: .never, .date)
        case .lessOrEqual: return bounds(.all([test("\(sql) <= ?", .text(text)), onlyTexts]), sure: .never, .date)
        default: return nil
        }
    }

    /// Years above 9999 have five digits, and are less as text.
    private func laterYears(_ text: String) -> SQLCondition {
        test("\(sql) >= '1' AND \(sql) < ? AND substr(\(sql), 5, 1) BETWEEN '0' AND '9'", .text(text))
    }

    /// Numbers are less than all texts to SQLite; a text cell holds none.
    private var onlyTexts: SQLCondition { kind == .json ? test("\(sql) >= ''") : .always }

    /// The bounds of a comparison with an instant. An offset moves the date by less than a day.
    func instant(_ kind: ExpressionNode.Kind, _ instant: EdmDateTimeOffset) -> Bounds? {
        guard fits(.dateTimeOffset), self.kind == .text || self.kind == .json else { return nil }
        let day = instant.secondsSinceEpoch.flooredQuotient(by: 86_400)
        guard let date = EdmDate(daysSinceEpoch: day), (2...9_998).contains(date.year),
            let before = EdmDate(daysSinceEpoch: day - 1)?.description,
            let after = EdmDate(daysSinceEpoch: day + 2)?.description
        else {
            return nil
        }
        switch kind {
        case .equal:
            let utc = EdmDateTimeOffset(
                secondsSinceEpoch: instant.secondsSinceEpoch, picosecond: instant.local.time.picosecond)
            let text = utc.flatMap { ODataValue.dateTimeOffset($0).canonicalText }
            return bounds(
                test("\(sql) >= ? AND \(sql) < ?", .text(before), .text(after)),
                sure: text.map { test("\(sql) = ?", .text($0)) } ?? .never, .instant)
        case .less, .lessOrEqual:
            return bounds(.all([test("\(sql) < ?", .text(after)), onlyTexts]), sure: .never, .instant)
        case .greater, .greaterOrEqual:
            return bounds(.any([test("\(sql) >= ?", .text(before)), laterYears(before)]), sure: .never, .instant)
        default: return nil
        }
    }

    /// The bounds of a comparison with a date and time without an offset. Seconds, zeros and a Z are optional in the
    /// text, and a leap second counts for the next minute.
    func dateTime(_ kind: ExpressionNode.Kind, _ value: EdmDateTime) -> Bounds? {
        let minute = value.secondsSinceEpoch - value.secondsSinceEpoch.flooredRemainder(by: 60)
        guard fits(.dateTime), self.kind == .text || self.kind == .json, (2...9_998).contains(value.date.year),
            let first = EdmDateTime(secondsSinceEpoch: minute - 60).flatMap({ Self.toMinutes(.dateTime($0), 16) }),
            let last = EdmDateTime(secondsSinceEpoch: minute).flatMap({ Self.toMinutes(.dateTime($0), 16) })
        else {
            return nil
        }
        return times(kind, first, last, later: laterYears(first), .dateTime)
    }

    /// The bounds of a comparison with a time of day.
    func timeOfDay(_ kind: ExpressionNode.Kind, _ value: EdmTimeOfDay) -> Bounds? {
        let minute = Int(value.secondsOfDay / 60)
        guard fits(.timeOfDay), self.kind == .text || self.kind == .json, minute < 24 * 60,
            let first = Self.minuteText(max(0, minute - 1)), let last = Self.minuteText(minute)
        else {
            return nil
        }
        return times(kind, first, last, later: .never, .timeOfDay)
    }

    private func times(
        _ kind: ExpressionNode.Kind, _ first: String, _ last: String, later: SQLCondition, _ line: DecisionLine
    ) -> Bounds? {
        let end = SQLValue.text(last + "[")
        switch kind {
        case .equal: return bounds(test("\(sql) >= ? AND \(sql) < ?", .text(first), end), sure: .never, line)
        case .less, .lessOrEqual:
            return bounds(.all([test("\(sql) < ?", end), onlyTexts]), sure: .never, line)
        case .greater, .greaterOrEqual:
            return bounds(.any([test("\(sql) >= ?", .text(first)), later]), sure: .never, line)
        default: return nil
        }
    }

    private static func minuteText(_ minute: Int) -> String? {
        EdmTimeOfDay(hour: minute / 60, minute: minute % 60).flatMap { toMinutes(.timeOfDay($0), 5) }
    }

    private static func toMinutes(_ value: ODataValue, _ count: Int) -> String? {
        value.canonicalText.map { String($0.prefix(count)) }
    }
}

extension Int64 {
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 { (self - flooredRemainder(by: divisor)) / divisor }

    fileprivate func flooredRemainder(by divisor: Int64) -> Int64 {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
