import Benchmarking
import SQLiteAccess
import Soups

/// Work of the floor on an open connection: a measured closure, and the soup's entries as its answer.
final class FloorSubject: Subject {
    private let floor: FloorStore
    private let folder: String
    private let markers: [[UInt8]]
    private let work: (FloorStore) throws -> Int
    private let answer: (FloorStore, inout ContentDigest) throws -> Void

    init(
        _ floor: FloorStore, folder: String, markers: [[UInt8]], work: @escaping (FloorStore) throws -> Int,
        answer: @escaping (FloorStore, inout ContentDigest) throws -> Void
    ) {
        self.floor = floor
        self.folder = folder
        self.markers = markers
        self.work = work
        self.answer = answer
    }

    func run(_ watch: Stopwatch) throws -> Int { try work(floor) }
    func digest(into digest: inout ContentDigest) throws { try answer(floor, &digest) }
    var evidence: Evidence? { Evidence(folder: folder, markers: markers) }
    func close() throws { floor.connection.close() }

    /// Adds the first column of all rows of a statement to the digest.
    static func feed(_ sql: String, _ connection: Connection, into digest: inout ContentDigest) throws(Fault) {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        while try statement.step() {
            digest.add(entry: statement.bytes(at: 0))
        }
    }
}
