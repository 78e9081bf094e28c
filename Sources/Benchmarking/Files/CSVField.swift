import Soups

/// One field of a record that is read, with the file and the record that messages name.
struct CSVField: Sendable {
    let column: String
    let text: String
    /// `samples.csv, record 3`; the header is record 1.
    let record: String

    func fault(_ what: String) -> Fault { Fault(.syntax, "\(record): \(what)") }

    /// Whether the text is made of what decimal numbers are made of. The standard library also reads `0x10`, `inf` and
    /// `nan`, which no report file contains.
    private var isDecimal: Bool {
        text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
        }
    }

    func integer(in range: ClosedRange<Int>) throws(Fault) -> Int {
        guard isDecimal, let integer = Int(text), range.contains(integer) else {
            throw fault("\(column) is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    /// Returns nil for an empty field.
    func number(in range: ClosedRange<Double>) throws(Fault) -> Double? {
        if text.isEmpty {
            return nil
        }
        guard isDecimal, let number = Double(text), range.contains(number) else {
            throw fault("\(column) is not a number, or out of range")
        }
        return number
    }

    /// Returns nil for an empty field.
    func truth() throws(Fault) -> Bool? {
        switch text {
        case "": return nil
        case "0": return false
        case "1": return true
        default: throw fault("\(column) is not 0 or 1")
        }
    }
}
