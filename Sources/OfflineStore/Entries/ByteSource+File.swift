import JSONText
import Platform
import Soups

extension ByteSource {
    /// Reads a file, which is open for as long as the source is used. Not for database files.
    ///
    /// - Throws: `inputOutput`.
    init(file path: String) throws(Fault) {
        do {
            self.init(try OpenFile(path))
        } catch {
            throw Fault(.inputOutput, "cannot open \(path): \(error.reason)")
        }
    }
}
