import Foundation
import OData
import TestSupport
import Testing

/// Reads every recorded payload, writes its entities as a client would, and reads them again.
@Suite(.enabled(if: TestData.isPresent("odata-payloads"), Comment(rawValue: TestData.skipComment)))
struct RecordedEntryTests {
    /// The entities of a payload, the expanded ones too.
    private static func entries(of payload: ODataPayload) -> [ODataEntry] {
        switch payload {
        case .feed(let feed): feed.entries.flatMap { entries(below: $0) }
        case .entry(let entry): entries(below: entry)
        default: []
        }
    }

    private static func entries(below entry: ODataEntry) -> [ODataEntry] {
        [entry]
            + entry.navigation.flatMap { navigation in
                switch navigation.content {
                case .null: [ODataEntry]()
                case .entry(let entry): entries(below: entry)
                case .feed(let feed): feed.entries.flatMap { entries(below: $0) }
                }
            }
    }

    /// All entities of the test data with the way in which their files are written.
    private static func recorded() throws -> [(file: String, way: ExchangeWay, entry: ODataEntry)] {
        var found: [(file: String, way: ExchangeWay, entry: ODataEntry)] = []
        for file in try PayloadDataTests.files() where !file.isMetadata {
            guard !PayloadDataTests.refused.contains(where: { $0.file == file.path }) else { continue }
            let bytes = try TestData.bytes("odata-payloads/" + file.path)
            let payload = try ODataPayload(reading: bytes, options: PayloadOptions(version: file.version))
            let isXML = bytes.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
            let format: ODataChangeRequest.Format = isXML ? .atom : file.version.isV4 ? .json : .verboseJSON
            let way = ExchangeWay(version: file.version, format: format)
            found += entries(of: payload).filter { $0.deletion == nil }.map { (file.path, way, $0) }
        }
        return found
    }

    @Test func `recorded entities are written and read again`() throws {
        let recorded = try Self.recorded()
        #expect(recorded.count > 800)
        var values = 0
        for (file, way, entry) in recorded {
            let text = try ODataEntryWriter(version: way.version, format: way.format).text(of: entry)
            let options = PayloadOptions(version: way.version, contentType: ContentType(way.contentType))
            guard case .entry(let read) = try ODataPayload(reading: Array(text.utf8), options: options) else {
                Issue.record("\(file): not an entry: \(text)")
                continue
            }
            #expect(read.properties.map(\.name) == entry.properties.map(\.name), "\(file)")
            for property in entry.properties {
                let found = read[property.name]
                #expect(
                    found.map { PayloadPairs.text(of: $0) } == PayloadPairs.text(of: property.value),
                    "\(file): \(property.name)")
                values += 1
            }
        }
        #expect(values > 5_000)
    }

    @Test(.enabled(if: PythonPeer.isPresent, Comment(rawValue: PythonPeer.skipComment)))
    func `Python reads what is written`() throws {
        let folder = try TemporaryFolder()
        var input = ""
        var digests: [String] = []
        for (index, (_, way, entry)) in try Self.recorded().enumerated() where index % 3 == 0 {
            let text = try ODataEntryWriter(version: way.version, format: way.format).text(of: entry)
            let path = folder.file("\(index)" + (way.format == .atom ? ".xml" : ".json"))
            try Data(text.utf8).write(to: URL(filePath: path))
            input += "payload\t\(way.version.rawValue)\t\(path)\n"
            let options = PayloadOptions(version: way.version, contentType: ContentType(way.contentType))
            let payload = try ODataPayload(reading: Array(text.utf8), options: options)
            digests.append(PayloadPairs.digest(PayloadPairs.lines(of: payload)))
        }
        let lines = try PythonPeer.lines(of: "odata_pairs.py", input: Array(input.utf8))
        #expect(digests.count > 250)
        #expect(lines == digests)
    }
}
