import Benchmarking
import JSONText
import Platform
import Soups

/// Reads a file of documents, one a line, so that a file of any length needs the memory of its longest line. Faults
/// name file and line.
final class DocumentLines {
    private let path: String
    private let lines: JSONLines

    /// Longer lines are refused.
    static let longestLine = 256 << 20

    /// - Throws: `inputOutput` if the file cannot be opened.
    init(path: String) throws(Fault) {
        self.path = path
        let file: OpenFile
        do { file = try OpenFile(path) } catch {
            throw Fault(.inputOutput, "\(path) cannot be read: \(error.reason)")
        }
        // The callers read the lines as entries, which checks more than the grammar.
        lines = JSONLines(ByteSource(file), checks: false, maximumLine: Self.longestLine)
    }

    /// The number of the line that `next` gave last, from 1.
    var number: Int { lines.lineNumber }

    /// Returns the next line that is not blank, without its line end; nil at the end.
    ///
    /// - Throws: `inputOutput`, `limitExceeded`.
    func next() throws(Fault) -> [UInt8]? {
        do throws(JSONLineError) {
            guard try lines.advance() else { return nil }
        } catch {
            throw Fault(
                error.error.code == .limitExceeded ? .limitExceeded : .inputOutput,
                "\(path), line \(error.line): \(error.error.message)")
        }
        return lines.withLine { Array($0) }
    }
}
