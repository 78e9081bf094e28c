import ServiceTransport

/// Reads and writes dates of records, as milliseconds since 1970.
enum MockDate {
    /// `2020-09-01T10:00:00.000+0000`, cut to seconds.
    static func text(_ milliseconds: Int64) -> String {
        let seconds = Int64((Double(milliseconds) / 1_000).rounded(.down))
        let days = Int64((Double(seconds) / 86_400).rounded(.down))
        let day = CivilDay(number: days)
        let second = Int(seconds - days * 86_400)
        let date = "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
        let time = "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        return "\(date)T\(time).000+0000"
    }

    /// Reads `yyyy-MM-ddTHH:mm:ss`, a fraction or none, and an offset: `Z`, `+0100` or `+01:00`. nil for another text.
    static func milliseconds(_ text: String) -> Int64? {
        var rest = Array(text.utf8)[...]
        guard let year = number(&rest, 4), take("-", &rest), let month = number(&rest, 2), take("-", &rest),
            let day = number(&rest, 2), take("T", &rest), let hour = number(&rest, 2), take(":", &rest),
            let minute = number(&rest, 2), take(":", &rest), let second = number(&rest, 2), hour < 24, minute < 60,
            second < 60, let civil = CivilDay(year: year, month: month, day: day)
        else { return nil }
        var fraction = 0
        if take(".", &rest) {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            for index in 0..<3 {
                fraction = fraction * 10 + (index < digits.count ? Int(digits[digits.startIndex + index]) - 0x30 : 0)
            }
            rest = rest.dropFirst(digits.count)
        }
        guard let offset = offset(&rest), rest.isEmpty else { return nil }
        let seconds = civil.number * 86_400 + Int64(hour * 3_600 + minute * 60 + second) - Int64(offset * 60)
        return seconds * 1_000 + Int64(fraction)
    }

    /// Minutes east of Greenwich.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
        if take("Z", &rest) {
            return 0
        }
        let isWest = take("-", &rest)
        guard isWest || take("+", &rest), let hours = number(&rest, 2) else { return nil }
        _ = take(":", &rest)
        guard let minutes = number(&rest, 2), hours < 24, minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    private static func take(_ sign: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
