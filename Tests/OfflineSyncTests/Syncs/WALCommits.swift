import Foundation

/// Counts the transactions that a write-ahead log holds.
///
/// Each frame has a header of 24 bytes, whose second number is not 0 if the frame ends a transaction. Frames whose salt
/// differs from that of the log are left from before it began again
/// (https://www.sqlite.org/fileformat2.html#walformat).
enum WALCommits {
    static func count(ofStore path: String) throws -> Int {
        let log = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
        guard log.count > 32 else { return 0 }
        let pageSize = number(log, at: 8)
        let salt = log[16..<24]
        let frames = stride(from: 32, through: log.count - 24, by: 24 + pageSize)
        return frames.count { frame in
            log[frame + 8..<frame + 16].elementsEqual(salt) && number(log, at: frame + 4) != 0
        }
    }

    private static func number(_ bytes: [UInt8], at offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
