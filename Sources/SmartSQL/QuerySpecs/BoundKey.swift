import Soups

extension QuerySpec.Key {
    /// The key as bound for a column: as text for text columns, so that the number 7 finds an entry with the text `7`;
    /// otherwise with its own type.
    func value(for affinity: SoupColumn.Affinity) -> SQLValue {
        switch (self, affinity) {
        case (.string(let text), .real): spelledDouble.map(SQLValue.real) ?? .text(text)
        case (.integer(let number), .real): .real(Double(number))
        case (.number(let digits), .text): .text(digits)
        case (.number(let digits), .number):
            wholeNumber.map(SQLValue.integer) ?? Double(digits).map(SQLValue.real) ?? .text(digits)
        case (.string(let text), .number): wholeNumber.map(SQLValue.integer) ?? .text(text)
        case (.number(let digits), _): Double(digits).map(SQLValue.real) ?? .text(digits)
        case (.string(let text), _): .text(text)
        case (.integer(let number), .text): .text(String(number))
        case (.floating(let number), .text): .text("\(number)")
        case (.boolean(let flag), .text): .text(flag ? "true" : "false")
        case (.integer(let number), _): .integer(number)
        case (.floating(let number), _): .real(number)
        case (.boolean(let flag), _): .boolean(flag)
        }
    }

    /// The number that a text key represents in JSON syntax, if any: for json1 indexes text keys also find equal
    /// numbers.
    var spelledNumber: SQLValue? {
        guard case .string(let text) = self, Self.isJSONNumber(Array(text.utf8)) else { return nil }
        if let whole = Int64(text) {
            return .integer(whole)
        }
        return Double(text).map(SQLValue.real)
    }

    private var spelledDouble: Double? {
        switch spelledNumber {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    /// Source: RFC 8259, section 6.
    private static func isJSONNumber(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        func digits() -> Int {
            let run = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(run.count)
            return run.count
        }
        if rest.first == UInt8(ascii: "-") {
            rest = rest.dropFirst()
        }
        let leadsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, !(leadsWithZero && whole > 1) else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                rest = rest.dropFirst()
            }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
