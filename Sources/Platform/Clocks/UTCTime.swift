import Libc

/// Writes the time of day in UTC.
package enum UTCTime {
    /// `2026-11-20T21:40:00Z`.
    package static func now() -> String { format("-", "T", ":") + "Z" }

    /// `20261120-214000`, for names of folders that sort by time.
    package static func compact() -> String { format("", "-", "") }

    private static func format(_ dash: String, _ middle: String, _ colon: String) -> String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = ["\(1_900 + parts.tm_year)", two(parts.tm_mon + 1), two(parts.tm_mday)].joined(separator: dash)
        return date + middle + [two(parts.tm_hour), two(parts.tm_min), two(parts.tm_sec)].joined(separator: colon)
    }
}
