/// Dates of payloads and literals as milliseconds since 1970, and back.
enum PlainDate {
    /// Reads `2012-09-03`, with `T13:52:00`, a fraction, and `Z` or an offset if there are any; nil for another text.
    static func milliseconds(_ text: String) -> Int64? {
        var rest = Array(text.utf8)[...]
        func number(_ count: Int) -> Int64? {
            let part = rest.prefix(count)
            guard part.count == count, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest.removeFirst(count)
            return part.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        var result = days(year, month, day) * 86_400_000
        if rest.isEmpty {
            return result
        }
        guard take("T"), let hour = number(2), take(":"), let minute = number(2) else { return nil }
        result += hour * 3_600_000 + minute * 60_000
        if take(":") {
            guard let second = number(2) else { return nil }
            result += second * 1_000
            if take(".") {
                var unit: Int64 = 100
                while let digit = number(1) {
                    result += digit * unit
                    unit /= 10
                }
            }
        }
        if rest.isEmpty || take("Z") && rest.isEmpty {
            return result
        }
        let isBehind = take("-")
        guard isBehind || take("+"), let hours = number(2), take(":"), let minutes = number(2), rest.isEmpty else {
            return nil
        }
        let offset = hours * 3_600_000 + minutes * 60_000
        return isBehind ? result + offset : result - offset
    }

    /// Such as `2012-09-03T13:52:00`, with milliseconds where there are any.
    static func text(_ milliseconds: Int64) -> String {
        let day = milliseconds.dividedDown(by: 86_400_000)
        var rest = milliseconds - day * 86_400_000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (year, month, dayOfMonth) = date(day)
        let padding = String(repeating: "0", count: max(0, 4 - String(year).utf8.count))
        var text = "\(padding)\(year)-\(two(month))-\(two(dayOfMonth))"
        let hour = rest / 3_600_000
        rest %= 3_600_000
        text += "T\(two(hour)):\(two(rest / 60_000)):\(two(rest % 60_000 / 1_000))"
        let fraction = rest % 1_000
        return fraction == 0 ? text : text + "." + String(String(fraction + 1_000).dropFirst())
    }

    /// The days since 1970, counted in years that begin with March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let era = shifted.dividedDown(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.dividedDown(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let number = month < 10 ? month + 3 : month - 9
        return (year + era * 400 + (number <= 2 ? 1 : 0), number, dayOfYear - (153 * month + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func dividedDown(by divisor: Int64) -> Int64 {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }
}
