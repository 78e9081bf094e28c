import JSONText
import Soups

/// How the documents of a user's file are written.
enum DocumentFormat {
    /// One JSON text a line.
    case lines
    /// One JSON array of all documents.
    case array
    /// Comma-separated values with a header.
    case csv

    /// Files that must be read as a whole, arrays and comma-separated values, may be this long.
    static let longestWhole = 256 << 20

    /// Recognises the format by the beginning of a file, and by its name if that is comma-separated.
    ///
    /// - Throws: `invalidArguments` that says what the file is instead.
    init(_ head: [UInt8], path: String) throws(Fault) {
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) || head.prefix(4).contains(0) {
            throw Fault(
                .invalidArguments, "\(path) is not UTF-8 but looks like UTF-16; convert it: iconv -f UTF-16 -t UTF-8")
        }
        let first = head.first { !Self.isBlank($0) }
        switch first {
        case nil, UInt8(ascii: "{"): self = .lines
        case UInt8(ascii: "["): self = .array
        default:
            guard path.hasSuffix(".csv") || path.hasSuffix(".csv.gz") || Self.hasHeader(head) else {
                throw Fault(
                    .invalidArguments,
                    "\(path) is neither JSON (lines or an array) nor comma-separated values with a header")
            }
            self = .csv
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

    /// Whether the first line names at least two columns.
    private static func hasHeader(_ head: [UInt8]) -> Bool {
        head.prefix { $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: ",")).count > 1
    }
}

/// A file that is one object, which often holds all records.
enum SingleObject {
    /// Says which of its members are probably the documents; nil if the text is not one object, or has no array of
    /// objects.
    static func advice(_ text: [UInt8], path: String) -> Fault? {
        guard let members = (try? JSONValue(parsing: text))?.object?.members else { return nil }
        let lists = members.filter { member in
            let elements = member.value.array ?? []
            return elements.count > 1 && elements.allSatisfy { $0.object != nil }
        }
        guard !lists.isEmpty else { return nil }
        let names = lists.map { "`\($0.name)`" }.joined(separator: " or ")
        return Fault(
            .invalidArguments,
            "\(path) is one document: did you mean its member \(names)? Write that array into a file of its own")
    }
}
