import JSONText
import OData
import OfflineStore
import Soups

/// Writes what a store holds in a way that no terminal takes for a command.
enum InspectText {
    /// A cell as JSON text.
    static func json(_ cell: StoreCell) -> String {
        switch cell {
        case .value(.null): return "null"
        case .value(.integer(let value)): return String(value)
        case .value(.real(let value)):
            return value.isFinite ? "\(value)" : JSONValue.string("\(value)").text()
        case .value(.blob(let bytes)): return JSONValue.object(["base64": .string(Base64.encode(bytes))]).text()
        case .value(.text(let bytes)):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return JSONValue.object(["base64": .string(Base64.encode(bytes))]).text()
            }
            return escapingControls(JSONValue.string(text).text())
        case .entry(let bytes): return entry(bytes)
        }
    }

    /// An entry as JSON text; one that is damaged, as a string.
    static func entry(_ bytes: some Collection<UInt8>, pretty: Bool = false) -> String {
        guard let value = try? JSONValue(parsing: Array(bytes), options: .storedEntry) else {
            return escapingControls(JSONValue.string(String(decoding: bytes, as: UTF8.self)).text())
        }
        guard !pretty else {
            return escapingControls(value.text(.pretty))
        }
        // Between tokens an entry has the blanks with which it was written. In strings JSON has none of these.
        let line = bytes.map { [0x09, 0x0A, 0x0D].contains($0) ? UInt8(ascii: " ") : $0 }
        return escapingControls(String(decoding: line, as: UTF8.self))
    }

    /// A cell as the text of a table or of CSV; empty for NULL.
    static func text(_ cell: StoreCell) -> String {
        switch cell {
        case .value(.null): ""
        case .value(.integer(let value)): String(value)
        case .value(.real(let value)): "\(value)"
        case .value(.blob(let bytes)): Base64.encode(bytes)
        case .value(.text(let bytes)), .entry(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    /// JSON text with the controls escaped that JSON allows in strings. Outside of them it may have line feeds only.
    static func escapingControls(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: isControl) else { return json }
        var escaped = ""
        for scalar in json.unicodeScalars {
            // Line feeds lay pretty JSON out.
            guard isControl(scalar), scalar != "\n" else {
                escaped.unicodeScalars.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            escaped += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
        return escaped
    }

    /// Text for a terminal, in one line.
    static func visible(_ text: String) -> String { escaping(text, where: isControl) }

    /// Text for a file or another program, which may show it on a terminal. Line breaks and tabs stay, as do the marks
    /// of direction that texts in some languages need.
    static func escapingTerminalControls(_ text: String) -> String {
        escaping(text) { scalar in
            switch scalar {
            case "\n", "\r", "\t": false
            default: scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            }
        }
    }

    private static func escaping(_ text: String, where isEscaped: (Unicode.Scalar) -> Bool) -> String {
        guard text.unicodeScalars.contains(where: isEscaped) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            guard isEscaped(scalar) else {
                escaped.unicodeScalars.append(scalar)
                continue
            }
            switch scalar {
            case "\n": escaped += "\\n"
            case "\t": escaped += "\\t"
            default: escaped += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return escaped
    }

    /// Milliseconds since 1970 as a date of UTC.
    static func date(_ milliseconds: Int64) -> String {
        let day: Int64 = 86_400_000
        let (days, rest) = ((milliseconds - (milliseconds % day + day) % day) / day, (milliseconds % day + day) % day)
        // Days of the calendar of 400 years, from 1 March of the year 0. Source: Howard Hinnant, chrono-compatible
        // low-level date algorithms.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let date = [
            yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
            dayOfYear - (153 * month + 2) / 5 + 1,
        ]
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60]
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return date.map(two).joined(separator: "-") + "T" + time.map(two).joined(separator: ":") + "Z"
    }

    /// Controls of terminals, and those that change the direction of what follows.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
