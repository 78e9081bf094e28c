import Platform
import Soups

/// Reads a file piece by piece, 64 KiB at a time: a packed file grows tenfold on the way. The path `-` is standard
/// input.
struct FileBytes {
    private let path: String
    private let file: OpenFile

    init(_ path: String) throws(Fault) {
        self.path = path
        do {
            file = try OpenFile(path == "-" ? "/dev/stdin" : path)
        } catch {
            throw Fault(.inputOutput, "cannot open the file \(path)")
        }
    }

    /// The next chunk; nil at the end.
    func next() throws(Fault) -> [UInt8]? {
        do {
            let piece = try file.read(atMost: 64 << 10)
            return piece.isEmpty ? nil : piece
        } catch {
            throw Fault(.inputOutput, "cannot read the file \(path)")
        }
    }

    static func all(of path: String) throws(Fault) -> [UInt8] {
        let bytes = try FileBytes(path)
        do { return try bytes.file.readAll() } catch { throw Fault(.inputOutput, "cannot read the file \(path)") }
    }

    /// The whole content. A file that cannot be read is a usage error, which is reported.
    static func orRefusal(of path: String) throws -> [UInt8] {
        do throws(Fault) { return try all(of: path) } catch { throw ExitStatus.refuse(error.message) }
    }
}
