import Benchmarking
import Dispatch
import OfflineStore
import Soups
import Synchronization

/// The load tests that the reference runs from JavaScript.
enum ScriptLoadCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        let steps = scope.profile.name == .smoke ? 6 : 12
        return [
            growingBatches(steps), growingEntries(steps), growingValues(steps + 5), addAndRetrieve(1 << (steps - 1)),
            upsertAndQuery, concurrent, size,
        ]
    }

    private static let soup = "scripts"

    private static func cell(
        _ name: String, _ summary: String, markers: [String],
        setUp: @escaping @Sendable (SmartStore) throws -> StoreSubject.Work,
        answer: @escaping @Sendable (SmartStore, inout ContentDigest) throws -> Void
    ) -> Cell {
        Cell(
            "script-" + name, revision: 1, summary: summary, arms: [.plain, .cipherOff, .cipher],
            comparisons: Cell.Comparison.backends, style: .once,
            pairs: 6, profile: .full
        ) { arm, workplace in
            let store = try StorageArm.open(arm, in: workplace.folder)
            _ = try store.registerSoup(soup, indexSpecs: [.string("key")])
            let work = try setUp(store)
            return StoreSubject(
                store, folder: workplace.folder, markers: markers.map { Array($0.utf8) }, work: work, answer: answer)
        }
    }

    // MARK: - Upserts that grow

    private static func growingBatches(_ steps: Int) -> Cell {
        let count = (1 << steps) - 1
        return cell(
            "growing-batches", "upserts 1, 2, 4, … \(1 << (steps - 1)) entries, each time in one call",
            markers: ["\"key\":\"k_1_0\""]
        ) { _ in
            let batches = (0..<steps).map { step in
                (0..<(1 << step)).map { Array(#"{"key":"k_\#(1 << step)_\#($0)","value":"x\#($0)"}"#.utf8) }
            }
            return { store, _ in
                for batch in batches {
                    try store.upsert(batch, into: soup)
                }
                return count
            }
        } answer: { store, digest in
            try StoreSubject.allEntries(of: soup, upTo: count)(store, &digest)
        }
    }

    private static func growingEntries(_ steps: Int) -> Cell {
        oneByOne(
            "growing-entries", "upserts entries of 1, 2, 4, … \(1 << (steps - 1)) fields", marker: "\"v0\":\"value_0\"",
            steps
        ) { fields(1 << $0) }
    }

    private static func growingValues(_ steps: Int) -> Cell {
        oneByOne(
            "growing-values", "upserts entries whose value has 1, 2, 4, … \(1 << (steps - 1)) characters",
            marker: "\"value\":\"xxxxxxxx", steps
        ) { Array(#"{"key":"k_\#($0)","value":"\#(String(repeating: "x", count: 1 << $0))"}"#.utf8) }
    }

    private static func oneByOne(
        _ name: String, _ summary: String, marker: String, _ steps: Int,
        _ entry: @escaping @Sendable (_ step: Int) -> [UInt8]
    ) -> Cell {
        cell(name, summary, markers: [marker]) { _ in
            let entries = (0..<steps).map(entry)
            return { store, _ in
                for entry in entries {
                    try store.upsert([entry], into: soup)
                }
                return entries.count
            }
        } answer: { store, digest in
            try StoreSubject.allEntries(of: soup, upTo: steps)(store, &digest)
        }
    }

    // MARK: - Upserts and reading

    private static func addAndRetrieve(_ count: Int) -> Cell {
        cell(
            "add-and-retrieve", "upserts \(count) generated entries in one call and retrieves them in one",
            markers: ["Todd Stellanova0"]
        ) { _ in
            let entries = (0..<count).map(generated)
            return { store, _ in
                try store.upsert(entries, into: soup)
                return try store.retrieve(ids: (1...Int64(count)).map { $0 }, from: soup).count
            }
        } answer: { store, digest in
            try StoreSubject.allEntries(of: soup, upTo: count)(store, &digest)
        }
    }

    private static let upsertAndQuery = cell(
        "upsert-and-query", "upserts 32 times 8 entries of 128 fields and queries all by key, 8 a page, after each",
        markers: ["\"v0\":\"value_0\""]
    ) { _ in
        let batches = (0..<32).map { batch in (0..<8).map { fields(128, key: "k_\(batch)_\($0)") } }
        return { store, _ in
            for (index, batch) in batches.enumerated() {
                try store.upsert(batch, into: soup)
                let cursor = try store.query(.all(orderPath: "key", pageSize: 8), soup: soup)
                guard try cursor.totalPages == index + 1 else {
                    throw Fault(.inputOutput, "\(try cursor.totalPages) pages after \(index + 1) batches of a page")
                }
            }
            return batches.count
        }
    } answer: { store, digest in
        try StoreSubject.allEntries(of: soup, upTo: 256)(store, &digest)
    }

    private static let concurrent = cell(
        "concurrent-upserts", "upserts 100 times 20 entries of 128 fields by an external id, all calls at once",
        markers: ["\"v0\":\"value_0\""]
    ) { _ in
        let batches = (0..<100).map { batch in (0..<20).map { fields(128, key: "k_\(batch)_\($0)") } }
        return { store, _ in
            let queue = DispatchQueue(label: "concurrent-upserts", attributes: .concurrent)
            let calls = DispatchGroup()
            let faults = Mutex<[Fault]>([])
            for batch in batches {
                queue.async(group: calls) {
                    do throws(Fault) { try store.upsert(batch, into: soup, externalIdPath: "key") } catch {
                        faults.withLock { $0.append(error) }
                    }
                }
            }
            calls.wait()
            if let fault = faults.withLock({ $0.first }) {
                throw fault
            }
            return batches.count
        }
    } answer: { store, digest in
        // Which call came first, and so got which ids, is random.
        for row in try store.query(.all(orderPath: "key", pageSize: 2_000, selectPaths: ["key"]), soup: soup)
            .currentPage.rows
        {
            digest.add("\(row)")
        }
    }

    // MARK: - Size

    private static let size = Cell(
        "script-database-size", revision: 1, summary: "bytes of a store with 2,000 generated entries",
        arms: [.plain, .cipherOff, .cipher],
        comparisons: Cell.Comparison.backends, style: .counted, primary: .fileBytes, pairs: 1, profile: .full
    ) { arm, workplace in
        let store = try StorageArm.open(arm, in: workplace.folder)
        _ = try store.registerSoup(soup, indexSpecs: [.string("key")])
        try store.upsert((0..<2_000).map(generated), into: soup)
        try store.close()
        return SizeSubject(folder: workplace.folder, markers: [Array("Todd Stellanova0".utf8)])
    }

    // MARK: - Entries

    private static func fields(_ count: Int, key: String = "k") -> [UInt8] {
        Array(
            ("{\"key\":\"\(key)\"," + (0..<count).map { "\"v\($0)\":\"value_\($0)\"" }.joined(separator: ",") + "}")
                .utf8)
    }

    private static func generated(_ number: Int) -> [UInt8] {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 10 - digits.utf8.count)) + digits
        return Array(
            #"{"Name":"Todd Stellanova\#(padded)","Id":"003\#(padded)","attributes":{"type":"Contact","url":"/foo/Contact/\#(padded)"}}"#
                .utf8)
    }
}
