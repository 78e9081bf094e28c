import Benchmarking

/// Counts bytes of the closed store's files.
final class SizeSubject: Subject {
    private let folder: String
    private let markers: [[UInt8]]

    init(folder: String, markers: [[UInt8]]) {
        self.folder = folder
        self.markers = markers
    }

    func run(_ watch: Stopwatch) throws -> Int { 1 }
    func digest(into digest: inout ContentDigest) throws {}
    func counters() throws -> [(Metric, Int)] {
        [(.fileBytes, Folders.files(below: folder).reduce(0) { $0 + $1.bytes })]
    }
    var evidence: Evidence? { Evidence(folder: folder, markers: markers) }
}
