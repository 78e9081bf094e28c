import Foundation
import JSONText
import SQLiteAccess
import TestSupport
import Testing

@testable import soup

/// `soup inspect` on stores that are damaged at random: it does not crash or hang, changes nothing in the folder, and
/// ends with a code of its table. `ci/fuzz/run inspect` goes on for the time that it is given.
@Suite struct InspectFuzzTests {
    private static let words = [
        "", "check", "check --quick", "export people", "export people --salvage", "export scans --salvage", "soups",
        "soups people", "sizes", "pending", "settings", "syncs", "show people", "count people", "--ignore-wal",
        "show scans --ignore-wal", "sql 'select {people:name} from {people} order by 1'",
        "sql 'select * from sqlite_master' --raw", #"show people --query '{"queryType":"match","matchKey":"marker"}'"#,
    ]

    @Test func `of damaged stores nothing is written, and each command ends with a code of the table`() throws {
        let environment = ProcessInfo.processInfo.environment
        var random = SeededRandom(seed: UInt64(environment["SOUP_RANDOM_SEED"] ?? "") ?? 20)
        print("seed \(random.seed)")
        let seconds = environment["SOUP_DAMAGE_SECONDS"].flatMap { Int($0) }
        let end = ContinuousClock.now + .seconds(seconds ?? 3600)
        let stores = try [BackEnd.plain, .cipher].filter(BackEnds.available.contains).map { try DamagedStore($0) }
        var codes: [Int32: Int] = [:]
        var count = 0
        while .now < end, seconds != nil || count < 2 * DamagedStore.Kind.allCases.count {
            let store = stores[count % stores.count]
            let kind = DamagedStore.Kind.allCases[count / stores.count % DamagedStore.Kind.allCases.count]
            let (copy, what) = try store.damaged(kind, &random)
            let key = store.backEnd.isKeyed ? " --key-file " + (try copy.keyFile((0..<32).map { 7 + UInt8($0) })) : ""
            let drawn = Int.random(in: 0..<Self.words.count, using: &random)
            for words in [Self.words[count % Self.words.count], Self.words[drawn]] {
                let ended = try copy.shell("timeout 30 $soup \(words) --format jsonl\(key)")
                codes[ended.code, default: 0] += 1
                check(ended, "seed \(random.seed), store \(count), \(what), \(words)")
            }
            count += 1
        }
        let ends = codes.sorted { $0.key < $1.key }.map { "\($0.value) with \($0.key)" }.joined(separator: ", ")
        print("\(count) damaged stores: commands ended \(ends)")
    }

    private func check(_ ended: BenchProgram.Ended, _ what: String) {
        // A soup or an index that the damage has taken is not there to be asked for.
        let isGone = ended.code == 2 && ["[soupNotFound]", "[pathNotIndexed]"].contains(where: ended.errors.contains)
        #expect([0, 1, 3, 4].contains(ended.code) || isGone, "\(what): \(ended.code) \(ended.errors)")
        #expect(ended.code == 0 || !ended.errors.isEmpty || !ended.output.isEmpty, "\(what)")
        for line in ended.output.split(separator: "\n") {
            #expect((try? JSONValue(parsing: String(line))) != nil, "\(what): \(line)")
        }
    }
}
