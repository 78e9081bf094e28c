import Benchmarking
import EntryCoding
import OfflineStore
import SQLiteAccess
import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Swift values in and out, with the coders of this package and with those of Foundation (APP-40, 41).
enum CodableCells: CellSource {
    private static let ours: Arm = "ours"
    private static let foundation: Arm = "foundation"
    private static let count = 200

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return [decode, encode]
            + StoreCorpus.all(scope).filter { $0.count <= 10_000 }.flatMap { cells($0) }
    }

    private static func cells(_ corpus: StoreCorpus) -> [Cell] {
        [insert(corpus), page(corpus), lookup(corpus), stream(corpus)]
    }

    private static func documents(_ workplace: Workplace) -> [[UInt8]] {
        let corpus = GeneratedCorpus(seed: workplace.seed)
        return (0..<count).map { corpus.document(at: $0, version: 0) }
    }

    // MARK: - In memory

    private static var decode: Cell {
        Cell(
            "decode-1k", [:], revision: 1, summary: "decodes \(count) documents of about 1 KB as values",
            arms: [ours, foundation], comparisons: [.init(foundation, ours)], primary: .cpu
        ) { arm, workplace in
            let texts = documents(workplace)
            let datas = texts.map { Data($0) }
            let (own, theirs) = (EntryDecoder(), JSONDecoder())
            var values: [PeerDocument] = []
            return Computation {
                values.removeAll(keepingCapacity: true)
                for index in texts.indices {
                    values.append(
                        arm.work == ours
                            ? try own.decode(PeerDocument.self, from: texts[index])
                            : try theirs.decode(PeerDocument.self, from: datas[index]))
                }
                return texts.count
            } answer: { digest in
                feed(values, &digest)
            }
        }
    }

    private static var encode: Cell {
        Cell(
            "encode-1k", [:], revision: 1, summary: "encodes \(count) values as documents of about 1 KB",
            arms: [ours, foundation], comparisons: [.init(foundation, ours)], primary: .cpu
        ) { arm, workplace in
            let values = try documents(workplace).map { try PeerDocument(json: $0) }
            let (own, theirs) = (EntryEncoder(), JSONEncoder())
            var texts: [[UInt8]] = []
            return Computation {
                texts.removeAll(keepingCapacity: true)
                for value in values {
                    texts.append(arm.work == ours ? try own.encode(value) : [UInt8](try theirs.encode(value)))
                }
                return values.count
            } answer: { digest in
                // The order of members differs, the values do not.
                feed(try texts.map { try PeerDocument(json: $0) }, &digest)
            }
        }
    }

    private static func feed(_ values: [PeerDocument], _ digest: inout ContentDigest) {
        var answer = PeerAnswer()
        for value in values {
            answer.add(value)
        }
        answer.feed(&digest)
    }

    // MARK: - In a store

    private static func insert(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "codable-insert", corpus.parameters(), revision: 1,
            summary: "inserts values, \(StoreCorpus.batch) a transaction",
            arms: Arm.all("foundation", "ours"), comparisons: Cell.Comparison.ways("foundation", "ours"), style: .once
        ) { arm, workplace in
            let store = try StorageArm.open(arm, in: workplace.folder)
            try store.registerSoup(
                StoreCorpus.soup, indexSpecs: [.string("key"), .string("category"), .string("name")])
            var batches: [[PeerDocument]] = []
            try corpus.forEachBatch { batches.append(try $0.map { try PeerDocument(json: $0) }) }
            let encoder = JSONEncoder()
            return StoreSubject(store, folder: workplace.folder, markers: corpus.questions.markers) { store, _ in
                var done = 0
                for batch in batches {
                    done +=
                        arm.way == "ours"
                        ? try store.upsert(values: batch, into: StoreCorpus.soup).count
                        : try store.upsert(batch.map { [UInt8](try encoder.encode($0)) }, into: StoreCorpus.soup).count
                }
                return done
            } answer: { store, digest in
                feed(try store.values(PeerDocument.self, .all(), in: StoreCorpus.soup).map(\.value), &digest)
            }
        }
    }

    private static func page(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "codable-page", corpus.parameters(), revision: 1, summary: "reads all entries as values, 100 a page",
            arms: Arm.all("foundation", "ours"), comparisons: Cell.Comparison.ways("foundation", "ours")
        ) { arm, workplace in
            let folder = try corpus.filledCopy(workplace)
            var values: [PeerDocument] = []
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers)
            { store, _ in
                values.removeAll(keepingCapacity: true)
                let cursor = try store.query(.all(pageSize: 100), soup: StoreCorpus.soup)
                let decoder = JSONDecoder()
                while true {
                    let page = cursor.currentPage
                    values +=
                        arm.way == "ours"
                        ? try page.values(PeerDocument.self).map(\.value)
                        : try page.entries.map { try decoder.decode(PeerDocument.self, from: Data($0)) }
                    guard cursor.hasNextPage else { break }
                    try cursor.moveToNextPage()
                }
                return values.count
            } answer: { _, digest in
                feed(values, &digest)
            }
        }
    }

    private static func lookup(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "codable-lookup", corpus.parameters(), revision: 2,
            summary: "reads 200 entries by id as values, a call each",
            arms: Arm.all("foundation", "ours"), comparisons: Cell.Comparison.ways("foundation", "ours")
        ) { arm, workplace in
            let folder = try corpus.filledCopy(workplace)
            let ids = corpus.ids(min(count, corpus.count), seed: workplace.seed)
            var values: [PeerDocument] = []
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers)
            { store, _ in
                values.removeAll(keepingCapacity: true)
                for id in ids {
                    if arm.way == "ours" {
                        values +=
                            try store.value(PeerDocument.self, id: id, from: StoreCorpus.soup).map { [$0.value] } ?? []
                    } else if let entry = try store.retrieve(id: id, from: StoreCorpus.soup) {
                        values.append(try JSONDecoder().decode(PeerDocument.self, from: Data(entry)))
                    }
                }
                return values.count
            } answer: { _, digest in
                feed(values, &digest)
            }
        }
    }

    /// The same as `codable-page`, through asynchronous sequences: a value at a time and a page at a time.
    private static func stream(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "codable-stream", corpus.parameters(), revision: 1, summary: "streams all entries as values, 100 a page",
            arms: Arm.all("foundation", "ours"), comparisons: Cell.Comparison.ways("foundation", "ours")
        ) { arm, workplace in
            let folder = try corpus.filledCopy(workplace)
            let isOurs = arm.way == "ours"
            var values: [PeerDocument] = []
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers)
            { store, _ in
                values = try WaitingWork.result { isOurs ? try await streamed(store) : try await paged(store) }
                return values.count
            } answer: { _, digest in
                feed(values, &digest)
            }
        }
    }

    private static func streamed(_ store: SmartStore) async throws -> [PeerDocument] {
        var values: [PeerDocument] = []
        for try await found in store.stream(PeerDocument.self, .all(pageSize: 100), in: StoreCorpus.soup) {
            values.append(found.value)
        }
        return values
    }

    private static func paged(_ store: SmartStore) async throws -> [PeerDocument] {
        let decoder = JSONDecoder()
        var values: [PeerDocument] = []
        for try await page in try await store.query(.all(pageSize: 100), soup: StoreCorpus.soup).pages {
            values += try page.entries.map { try decoder.decode(PeerDocument.self, from: Data($0)) }
        }
        return values
    }
}
