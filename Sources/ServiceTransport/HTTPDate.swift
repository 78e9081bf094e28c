/// Reads and writes the dates of HTTP headers, as milliseconds since 1970.
public enum HTTPDate {
    /// Reads a date in one of the three forms of RFC 9110, section 5.6.7. Returns nil for another text.
    ///
    /// - Parameter now: The current time. A year of two digits that would be more than 50 years later means a century
    ///   earlier.
    public static func milliseconds(of text: String, now: Int64) -> Int64? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        if parts.last == "GMT" {
            return parts.count == 4 ? rfc850(parts, now: now) : fixdate(parts)
        }
        return asctime(parts)
    }

    /// Writes a date in the preferred form, cut to seconds: `Sun, 06 Nov 1994 08:49:37 GMT`. Returns nil for a date
    /// before the year 1 or after 9999.
    public static func text(of milliseconds: Int64) -> String? {
        let seconds = floorDivide(milliseconds, by: 1_000)
        let day = CivilDay(number: floorDivide(seconds, by: 86_400))
        guard (1...9_999).contains(day.year) else { return nil }
        let second = seconds - day.number * 86_400
        let date =
            "\(weekdays[day.weekday].prefix(3)), \(padded(day.day, 2)) \(months[day.month - 1]) \(padded(day.year, 4))"
        let time = [second / 3_600, second / 60 % 60, second % 60].map { padded(Int($0), 2) }.joined(separator: ":")
        return date + " " + time + " GMT"
    }
}

// MARK: - The three forms
extension HTTPDate {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static func fixdate(_ parts: [Substring]) -> Int64? {
        guard parts.count == 6, parts[0].last == ",", isWeekday(parts[0].dropLast(), isShort: true),
            let day = number(parts[1], digits: 2), let year = number(parts[3], digits: 4)
        else { return nil }
        return milliseconds(year: year, month: parts[2], day: day, time: parts[4])
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    private static func rfc850(_ parts: [Substring], now: Int64) -> Int64? {
        let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard parts[0].last == ",", isWeekday(parts[0].dropLast(), isShort: false), date.count == 3,
            let day = number(date[0], digits: 2), let ending = number(date[2], digits: 2)
        else { return nil }
        let thisYear = CivilDay(number: floorDivide(now, by: 86_400_000)).year
        var year = thisYear - thisYear % 100 + ending
        if year > thisYear + 50 {
            year -= 100
        } else if year <= thisYear - 50 {
            year += 100
        }
        return milliseconds(year: year, month: date[1], day: day, time: parts[2])
    }

    /// `Sun Nov  6 08:49:37 1994`
    private static func asctime(_ parts: [Substring]) -> Int64? {
        var parts = parts
        let isOneDigit = parts.count == 6 && parts[2].isEmpty
        if isOneDigit {
            parts.remove(at: 2)
        }
        guard parts.count == 5, isWeekday(parts[0], isShort: true), let year = number(parts[4], digits: 4),
            let day = number(parts[2], digits: isOneDigit ? 1 : 2)
        else { return nil }
        return milliseconds(year: year, month: parts[1], day: day, time: parts[3])
    }

    private static func milliseconds(year: Int, month: Substring, day: Int, time: Substring) -> Int64? {
        let time = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let month = months.firstIndex(of: String(month)), time.count == 3,
            let civil = CivilDay(year: year, month: month + 1, day: day),
            let hour = number(time[0], digits: 2), hour < 24,
            let minute = number(time[1], digits: 2), minute < 60,
            // A leap second is the first one of the next minute.
            let second = number(time[2], digits: 2), second <= 60
        else { return nil }
        return (civil.number * 86_400 + Int64(hour * 3_600 + minute * 60 + second)) * 1_000
    }
}

// MARK: - Words and numbers
extension HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    private static func isWeekday(_ text: Substring, isShort: Bool) -> Bool {
        weekdays.contains { isShort ? $0.prefix(3) == text : $0 == text }
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    private static func floorDivide(_ number: Int64, by divisor: Int64) -> Int64 {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
