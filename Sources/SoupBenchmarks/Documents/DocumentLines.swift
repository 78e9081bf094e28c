import Benchmarking
import JSONText
import Platform
import Soups

/// Reads a file of documents: JSON lines, a JSON array, or comma-separated values with a header, packed by gzip or not.
/// Lines need the memory of the longest one; other formats are read as a whole. Faults name file and document.
final class DocumentLines {
    private let path: String
    private let source: Source

    private enum Source {
        case lines(JSONLines, BytesOfLines)
        case list(DocumentList)
    }

    /// Longer lines are refused.
    static let longestLine = 64 << 20

    /// - Throws: `inputOutput` if the file cannot be opened; `invalidArguments` that says what it is, if it has no
    ///   documents that could be read.
    init(path: String) throws(Fault) {
        self.path = path
        let bytes = try DocumentBytes(path: path)
        switch try DocumentFormat(bytes.head, path: path) {
        case .lines:
            let feed = BytesOfLines(bytes)
            // The callers read the lines as entries, which checks more than the grammar.
            source = .lines(
                JSONLines(ByteSource { feed.fill($0) }, checks: false, maximumLine: Self.longestLine), feed)
        case .array:
            let text = try bytes.all(limit: DocumentFormat.longestWhole, "a JSON array")
            source = .list(DocumentList(try Self.elements(of: text, path)))
        case .csv:
            let text = try bytes.all(limit: DocumentFormat.longestWhole, "a table")
            source = .list(DocumentList(try CSVDocuments.read(text, path: path)))
        }
    }

    /// The number of the line or of the document that `next` gave last, from 1.
    var number: Int {
        switch source {
        case .lines(let lines, _): lines.lineNumber
        case .list(let list): list.number
        }
    }

    /// Returns the next document that is not blank, without its line end; nil at the end.
    ///
    /// - Throws: `inputOutput`, `limitExceeded`, `invalidArguments` for a damaged gzip file.
    func next() throws(Fault) -> [UInt8]? {
        switch source {
        case .list(let list): return list.next()
        case .lines(let lines, let feed):
            do throws(JSONLineError) {
                guard try lines.advance() else { return nil }
            } catch {
                throw feed.fault
                    ?? Fault(
                        error.error.code == .limitExceeded ? .limitExceeded : .inputOutput,
                        "\(path), line \(error.line): \(error.error.message)")
            }
            return lines.withLine { Array($0) }
        }
    }

    private static func elements(of text: [UInt8], _ path: String) throws(Fault) -> [[UInt8]] {
        var found: [[UInt8]] = []
        let failure = text.withUnsafeBytes { bytes -> JSONError? in
            do throws(JSONError) {
                var elements = try JSONArrayElements(bytes)
                while let range = try elements.next() {
                    found.append(Array(bytes[range]))
                }
                return nil
            } catch {
                return error
            }
        }
        if let failure {
            throw Fault(
                .invalidEntry, "\(path), document \(found.count + 1): \(failure.message)", offset: failure.offset)
        }
        return found
    }
}

/// The bytes of a file as a source of lines; keeps the fault that a source can only give as a number.
private final class BytesOfLines {
    private let bytes: DocumentBytes
    private var rest: ArraySlice<UInt8> = []
    private(set) var fault: Fault?

    init(_ bytes: DocumentBytes) { self.bytes = bytes }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        if rest.isEmpty {
            do throws(Fault) { rest = try bytes.next()[...] } catch {
                fault = error
                return -5
            }
        }
        let piece = rest.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }
}

/// Documents in memory, one after the other.
private final class DocumentList {
    private let documents: [[UInt8]]
    private(set) var number = 0

    init(_ documents: [[UInt8]]) { self.documents = documents }

    func next() -> [UInt8]? {
        guard number < documents.count else { return nil }
        number += 1
        return documents[number - 1]
    }
}
