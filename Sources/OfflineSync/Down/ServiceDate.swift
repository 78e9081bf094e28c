import ServiceTransport

/// Reads and writes the dates of records, as milliseconds since 1970.
enum ServiceDate {
    /// Writes `2020-09-01T10:00:00.000+0000`.
    static func text(_ milliseconds: Int64) -> String {
        let days = floorDivide(milliseconds, by: 86_400_000)
        let day = CivilDay(number: days)
        let inDay = Int(milliseconds - days * 86_400_000)
        let date = "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
        let time = [inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1_000 % 60].map { padded($0, 2) }
        return date + "T" + time.joined(separator: ":") + "." + padded(inDay % 1_000, 3) + "+0000"
    }

    /// Reads `yyyy-MM-ddTHH:mm:ss`, with a fraction of any length, which is cut to milliseconds, or without one, and
    /// with an offset: `Z`, `+0100`, `+01:00`, or without one for UTC. nil for another text.
    static func milliseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        var reader = Reader(text: text)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T"), let hour = reader.number(2), reader.take(":"),
            let minute = reader.number(2), reader.take(":"), let second = reader.number(2), hour < 24, minute < 60,
            second < 60, let civil = CivilDay(year: year, month: month, day: day), let fraction = reader.fraction(),
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let seconds = civil.number * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset * 60)
        return seconds * 1_000 + Int64(fraction)
    }

    /// Reads the date of a text as the other form does.
    static func milliseconds(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { milliseconds(UnsafeRawBufferPointer($0)) }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    private static func floorDivide(_ number: Int64, by divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }

    private struct Reader {
        let text: UnsafeRawBufferPointer
        var position = 0

        init(text: UnsafeRawBufferPointer) { self.text = text }

        var isAtEnd: Bool { position == text.count }

        mutating func take(_ sign: Unicode.Scalar) -> Bool {
            guard position < text.count, text[position] == UInt8(ascii: sign) else { return false }
            position += 1
            return true
        }

        mutating func number(_ digits: Int) -> Int? {
            guard position + digits <= text.count else { return nil }
            var number = 0
            for byte in text[position..<position + digits] {
                guard Self.isDigit(byte) else { return nil }
                number = number * 10 + Int(byte) - 0x30
            }
            position += digits
            return number
        }

        /// Milliseconds; 0 without a fraction, nil for a point without digits.
        mutating func fraction() -> Int? {
            guard take(".") else { return 0 }
            let start = position
            var milliseconds = 0
            while position < text.count, Self.isDigit(text[position]) {
                if position - start < 3 {
                    milliseconds = milliseconds * 10 + Int(text[position]) - 0x30
                }
                position += 1
            }
            switch position - start {
            case 0: return nil
            case 1: return milliseconds * 100
            case 2: return milliseconds * 10
            default: return milliseconds
            }
        }

        /// Minutes east of Greenwich.
        mutating func offset() -> Int? {
            guard !isAtEnd, !take("Z") else { return 0 }
            let isWest = take("-")
            guard isWest || take("+"), let hours = number(2) else { return nil }
            _ = take(":")
            guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
            return (hours * 60 + minutes) * (isWest ? -1 : 1)
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    }
}
