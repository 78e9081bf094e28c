/// A day of the Gregorian calendar and its number, counted from 1970-01-01.
package struct CivilDay {
    package let year: Int
    package let month: Int
    package let day: Int
    package let number: Int64

    /// The days before each month of a year that begins with March.
    private static let daysBefore = [0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337]
    /// The number of 0000-03-01.
    private static let origin: Int64 = -719_468
    private static let daysOfEra: Int64 = 146_097

    /// Days since Sunday.
    var weekday: Int { Int(((number + 4) % 7 + 7) % 7) }

    /// nil for a day that does not exist, such as 30 February.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        // Years that begin with March have the leap day at their end.
        let shifted = month > 2 ? year : year - 1
        let inYear = Self.daysBefore[(month + 9) % 12] + day - 1
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        let exact = CivilDay(number: Int64(shifted * 365 + leapDays + inYear) + Self.origin)
        guard exact.day == day, exact.month == month else { return nil }
        self = exact
    }

    package init(number: Int64) {
        self.number = number
        let days = number - Self.origin
        let era = (days >= 0 ? days : days - (Self.daysOfEra - 1)) / Self.daysOfEra
        let inEra = Int(days - era * Self.daysOfEra)
        let yearOfEra = (inEra - inEra / 1_460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
        let index = (Self.daysBefore.lastIndex { $0 <= inYear }) ?? 0
        month = (index + 2) % 12 + 1
        day = inYear - Self.daysBefore[index] + 1
        year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
    }
}
