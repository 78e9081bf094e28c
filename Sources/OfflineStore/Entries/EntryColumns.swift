import JSONText
import SQLiteAccess
import Soups

/// Reads entries and returns the values of their index columns. One object serves many entries and allocates nothing
/// for each.
///
/// In numeric columns true and false are 1 and 0, text that is a number is that number, other text, objects and arrays
/// are NULL, and integers beyond 64 bits are REAL. String columns hold numbers as they are written in the entry, and
/// booleans as `true` and `false`.
final class EntryColumns {
    let scanner: EntryScanner
    private let specs: [IndexSpec]
    /// For each column the index of its spec: json1 specs have no column.
    private let specIndexes: [Int]

    init(specs: [IndexSpec]) {
        self.specs = specs
        specIndexes = specs.indices.filter { specs[$0].type.hasColumn }
        scanner = EntryScanner(paths: specs.map(\.path))
    }

    /// Checks an entry and finds its values. The bytes must stay valid until the last value was read.
    ///
    /// - Throws: `invalidEntry` with the offset.
    func scan(_ text: UnsafeRawBufferPointer) throws(Fault) {
        do throws(JSONError) {
            try scanner.scan(text)
        } catch {
            throw Fault(.invalidEntry, error.message, offset: error.offset)
        }
        for specIndex in specs.indices {
            // SQLite's text functions end at a NUL: what follows it could not be found again.
            let value = scanner.values.value(specIndex)
            guard let offset = value.nulOffset else { continue }
            // A json1 index has no values from inside an array.
            if specs[specIndex].type == .json1, value.kind == .collected {
                continue
            }
            throw Fault(
                .invalidEntry, "an indexed value contains U+0000", offset: offset,
                context: [.path(specs[specIndex].path)])
        }
    }

    /// Scans the text of a stored entry.
    ///
    /// - Throws: `invalidEntry` for a value that cannot be indexed; the message names the entry.
    func scan(_ text: UnsafeRawBufferPointer, ofEntry id: Int64) throws(Fault) {
        do throws(Fault) {
            try scan(text)
        } catch {
            throw Fault(
                error.code, "the entry \(id) cannot be indexed: \(error.message)", offset: error.offset,
                context: error.context)
        }
    }

    /// The id in the entry, if it is a valid one.
    var entryId: Int64? {
        if case .integer(let id) = scanner.identifier {
            id
        } else {
            nil
        }
    }

    /// Writes the document to be stored over the content of the buffer.
    func store(id: Int64, lastModified: Int64, into image: inout [UInt8]) {
        image.removeAll(keepingCapacity: true)
        scanner.appendStored(id: id, lastModified: lastModified, to: &image)
    }

    /// Binds the value of a column; columns count among the specs that have one. Text is lent: the statement must be
    /// cleared before the next scan.
    func bindColumn(_ column: Int, to statement: Statement, at index: Int) throws(Fault) {
        let specIndex = specIndexes[column]
        switch specs[specIndex].type {
        case .string, .fullText, .json1:
            if let text = scanner.values.text(of: specIndex) {
                try statement.bind(borrowedText: text, at: index)
            } else {
                try statement.bindNull(at: index)
            }
        case .integer, .floating:
            switch scanner.values.numeric(of: specIndex) {
            case .null: try statement.bindNull(at: index)
            case .integer(let value): try statement.bind(integer: value, at: index)
            case .real(let value): try statement.bind(real: value, at: index)
            }
        }
    }

    /// The value for a spec, as it is compared with the spec's column or expression.
    func value(ofSpec specIndex: Int) -> SQLValue {
        switch specs[specIndex].type {
        case .integer, .floating:
            return numericValue(ofSpec: specIndex)
        case .json1:
            switch scanner.values.value(specIndex).kind {
            case .true, .false, .number: return numericValue(ofSpec: specIndex)
            case .missing, .null, .string, .object, .array, .collected: return textValue(ofSpec: specIndex)
            }
        case .string, .fullText:
            return textValue(ofSpec: specIndex)
        }
    }

    private func numericValue(ofSpec specIndex: Int) -> SQLValue {
        switch scanner.values.numeric(of: specIndex) {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        }
    }

    private func textValue(ofSpec specIndex: Int) -> SQLValue {
        scanner.values.text(of: specIndex).map { .text(Array($0)) } ?? .null
    }

    /// Whether SQLite reads the value for a json1 spec exactly as this type does: a missing value, a boolean, an
    /// integer of 64 bits, or a text without escapes.
    func hasPlainValue(ofSpec specIndex: Int) -> Bool {
        let value = scanner.values.value(specIndex)
        switch value.kind {
        case .missing, .null, .true, .false: return true
        case .number:
            guard case .integer = scanner.values.numeric(of: specIndex), let text = scanner.values.text(of: specIndex)
            else {
                return false
            }
            // SQLite does not read 1.0 and 1e3 as integers.
            return text.allSatisfy { $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        case .string: return scanner.values.text(of: specIndex)?.count == value.range.count - 2
        case .object, .array, .collected: return false
        }
    }
}
