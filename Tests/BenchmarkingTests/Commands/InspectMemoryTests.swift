import Foundation
import OfflineStore
import SQLiteAccess
import TestSupport
import Testing

@testable import soup

/// `soup inspect` streams: its memory stays below 64 MB and twice the largest entry, however large the store is.
@Suite struct InspectMemoryTests {
    /// Runs a command and prints the most memory that it has used, in kilobytes.
    private static let measuring = """
        import resource, subprocess, sys
        status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
        print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        """

    @Test(.enabled(if: PythonPeer.isPresent, "\(PythonPeer.skipComment)"), arguments: [BackEnd.plain, .cipher])
    func `memory stays below 64 MB for a store of 90 MB`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let inspected = try InspectedFolder()
        let store = try inspected.make(backEnd, key: backEnd.isKeyed ? try BackEnds.key() : nil) {
            $0.settings.durability = .relaxed
        }
        let filler = String(repeating: "text of a long entry ", count: 3_000)
        for first in stride(from: 0, to: 1_400, by: 100) {
            try store.upsert(
                (first..<first + 100).map { Array(#"{"name":"long \#($0)","text":"\#(filler)"}"#.utf8) }, into: "people"
            )
        }
        try store.close()
        let key = backEnd.isKeyed ? " --key-file " + (try inspected.keyFile((0..<32).map { 7 + UInt8($0) })) : ""
        var most = 0
        for words in [
            "export people", "export people --salvage", "check", "show people --limit 5000 --format json",
            "sql 'select {people:_soup} from {people}' --format csv",
            "sql 'select {people:_soup} from {people} order by {people:name} desc' --format table",
            "sql 'select soup from TABLE_1' --raw --format jsonl", "soups people", "sizes",
        ] {
            let ended = try inspected.shell("python3 -c '\(Self.measuring)' $soup \(words)\(key)")
            let numbers = ended.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            try #require(numbers.count == 2 && numbers[0] == 0, "\(words): \(ended.output) \(ended.errors)")
            #expect(numbers[1] < 64 << 10, "\(words): \(numbers[1]) KB")
            most = max(most, numbers[1])
        }
        print("soup inspect, \(backEnd.rawValue): at most \(most >> 10) MB of memory for a store of 90 MB")
    }
}
