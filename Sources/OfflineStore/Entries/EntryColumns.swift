import JSONText
import SQLiteAccess
import Soups

/// Reads entries and gives the values of their index columns. One object serves many entries and allocates nothing for
/// each.
///
/// Which value stands for what: smartstore.md 3.6 as settled by vectors.md, reading 7.
final class EntryColumns {
    let scanner: EntryScanner
    private let specs: [IndexSpec]
    /// For each column the place of its spec: json1 specs have no column.
    private let places: [Int]

    init(specs: [IndexSpec]) {
        self.specs = specs
        places = specs.indices.filter { specs[$0].type != .json1 }
        scanner = EntryScanner(paths: specs.map(\.path))
    }

    /// Checks an entry and finds its values. The bytes must stay until the last value was asked for.
    ///
    /// - Throws: `invalidEntry` with the offset.
    func scan(_ text: UnsafeRawBufferPointer) throws(Fault) {
        do throws(JSONError) {
            try scanner.scan(text)
        } catch {
            throw Fault(.invalidEntry, error.message, offset: error.offset)
        }
        for place in specs.indices {
            // SQLite's text functions end at a NUL: what follows it could not be found again.
            guard let offset = scanner.values.value(place).nulOffset else { continue }
            throw Fault(
                .invalidEntry, "an indexed value holds U+0000", offset: offset, context: [.path(specs[place].path)])
        }
    }

    /// The id that the entry brings, if it can be one.
    var entryId: Int64? {
        if case .integer(let id) = scanner.identifier {
            id
        } else {
            nil
        }
    }

    /// Writes the document to be stored over what the buffer held.
    func store(id: Int64, lastModified: Int64, into image: inout [UInt8]) {
        image.removeAll(keepingCapacity: true)
        scanner.appendStored(id: id, lastModified: lastModified, to: &image)
    }

    /// Binds the value of a column, counted among the specs that have one. Text is lent: the statement must be cleared
    /// before the next scan.
    func bindColumn(_ column: Int, to statement: Statement, at index: Int) throws(Fault) {
        let place = places[column]
        switch specs[place].type {
        case .string, .fullText, .json1:
            if let text = scanner.values.text(of: place) {
                try statement.bind(borrowedText: text, at: index)
            } else {
                try statement.bindNull(at: index)
            }
        case .integer, .floating:
            switch scanner.values.numeric(of: place) {
            case .null: try statement.bindNull(at: index)
            case .integer(let value): try statement.bind(integer: value, at: index)
            case .real(let value): try statement.bind(real: value, at: index)
            }
        }
    }

    /// The value at a spec, as it is compared with the spec's column or expression.
    func value(ofSpec place: Int) -> SQLValue {
        switch (specs[place].type, scanner.values.value(place).kind) {
        case (.json1, .true), (.json1, .false), (.json1, .number), (.integer, _), (.floating, _):
            switch scanner.values.numeric(of: place) {
            case .null: return .null
            case .integer(let value): return .integer(value)
            case .real(let value): return .real(value)
            }
        default:
            return scanner.values.text(of: place).map { .text(Array($0)) } ?? .null
        }
    }

    /// Whether the value at a json1 spec is one that SQLite reads exactly as this does: nothing, a boolean, an integer
    /// of 64 bits, a text without escapes.
    func hasPlainValue(ofSpec place: Int) -> Bool {
        let value = scanner.values.value(place)
        switch value.kind {
        case .missing, .null, .true, .false: return true
        case .number:
            guard case .integer = scanner.values.numeric(of: place), let text = scanner.values.text(of: place) else {
                return false
            }
            // To SQLite 1.0 and 1e3 are no integers.
            return text.allSatisfy { $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        case .string: return scanner.values.text(of: place)?.count == value.range.count - 2
        case .object, .array, .collected: return false
        }
    }
}
