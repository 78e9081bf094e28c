import Benchmarking
import EntryCoding
import OfflineStore
import Soups

/// The work of `PeerCells` done by the store, as bytes or as Swift values.
enum OwnPeerWork {
    /// What a round of questions found.
    private struct Found {
        var pages: [StorePage] = []
        var texts: [[UInt8]] = []
        var values: [PeerDocument] = []
        var totals: [Int] = []
    }

    static func prepare(
        _ work: PeerWork, asValues: Bool, fullTextIndexes: Bool = true, _ corpus: StoreCorpus, _ workplace: Workplace
    ) throws -> any Subject {
        if work.writes {
            return try insert(work, asValues: asValues, fullTextIndexes: fullTextIndexes, corpus, workplace)
        }
        let folder = try workplace.template("own-filled-\(corpus.count)") { folder in
            let store = try open(folder, .insertFullText)
            try corpus.forEachBatch { try store.upsert($0, into: StoreCorpus.soup) }
            try store.close()
        }
        let questions = PeerQuestions(work, corpus, seed: workplace.seed)
        var found = Found()
        return StoreSubject(
            try StorageArm.open(.plain, in: folder), folder: folder, markers: corpus.questions.markers
        ) { store, _ in
            var units = 0
            for _ in 0..<work.times {
                found = Found()
                units += try ask(work, questions, of: store, asValues: asValues, &found)
            }
            return units
        } answer: { _, digest in
            var answer = PeerAnswer()
            for document in found.values {
                answer.add(document)
            }
            for text in found.texts + (asValues ? [] : found.pages.flatMap { $0.entries.map { Array($0) } }) {
                answer.add(try PeerDocument(json: text))
            }
            for total in found.totals {
                answer.add(total: total)
            }
            answer.feed(&digest)
        }
    }

    // MARK: - Writing

    private static func insert(
        _ work: PeerWork, asValues: Bool, fullTextIndexes: Bool, _ corpus: StoreCorpus, _ workplace: Workplace
    ) throws -> any Subject {
        let store = try open(workplace.folder, work, fullTextIndexes: fullTextIndexes)
        var texts: [[[UInt8]]] = []
        try corpus.forEachBatch { texts.append($0) }
        let values = asValues ? try texts.map { try $0.map { try PeerDocument(json: $0) } } : []
        return StoreSubject(store, folder: workplace.folder, markers: corpus.questions.markers) { store, _ in
            for batch in values {
                try store.upsert(values: batch, into: StoreCorpus.soup)
            }
            if !asValues {
                for batch in texts {
                    try store.upsert(batch, into: StoreCorpus.soup)
                }
            }
            return corpus.count
        } answer: { store, digest in
            var answer = PeerAnswer()
            let entries = try store.retrieve(ids: (1...Int64(corpus.count)).map { $0 }, from: StoreCorpus.soup)
            for entry in entries {
                answer.add(try PeerDocument(json: entry))
            }
            answer.feed(&digest)
        }
    }

    private static func open(
        _ folder: String, _ work: PeerWork, fullTextIndexes: Bool = true
    ) throws(Fault) -> SmartStore {
        let store = try StorageArm.open(.plain, in: folder) { $0.fullTextIndexes = fullTextIndexes }
        let strings: [IndexSpec] = [.string("key"), .string("category"), .string("name")]
        _ = try store.registerSoup(
            StoreCorpus.soup, indexSpecs: work == .insertFullText ? strings + [.fullText("body")] : strings)
        return store
    }

    // MARK: - Reading

    /// Asks all questions once, and returns how many entries or queries that were.
    private static func ask(
        _ work: PeerWork, _ questions: PeerQuestions, of store: SmartStore, asValues: Bool, _ found: inout Found
    ) throws -> Int {
        switch work {
        case .insert, .insertFullText: return 0
        case .byID:
            for id in questions.ids {
                if asValues {
                    if let known = try store.value(PeerDocument.self, id: id, from: StoreCorpus.soup) {
                        found.values.append(known.value)
                    }
                } else if let text = try store.retrieve(id: id, from: StoreCorpus.soup) {
                    found.texts.append(text)
                }
            }
            return questions.ids.count
        case .byIDInOneRead:
            try store.read { reader in
                for id in questions.ids {
                    if asValues {
                        if let known = try reader.value(PeerDocument.self, id: id, from: StoreCorpus.soup) {
                            found.values.append(known.value)
                        }
                    } else if let text = try reader.retrieve(id: id, from: StoreCorpus.soup) {
                        found.texts.append(text)
                    }
                }
            }
            return questions.ids.count
        case .exact:
            for key in questions.keys {
                let spec = QuerySpec.exact(path: "key", matchKey: .string(key), pageSize: work.pageSize)
                try keep(try store.query(spec, soup: StoreCorpus.soup).currentPage, asValues, &found)
            }
            return questions.keys.count
        case .allPages:
            let cursor = try store.query(.all(pageSize: work.pageSize), soup: StoreCorpus.soup)
            var units = 0
            while true {
                units += cursor.currentPage.count
                try keep(cursor.currentPage, asValues, &found)
                guard cursor.hasNextPage else { return units }
                try cursor.moveToNextPage()
            }
        case .matchRare, .matchCommon:
            let spec = QuerySpec.match(path: "body", matchKey: questions.word, pageSize: work.pageSize)
            let cursor = try store.query(spec, soup: StoreCorpus.soup)
            found.totals.append(try cursor.totalEntries)
            try keep(cursor.currentPage, asValues, &found)
            return 1
        }
    }

    private static func keep(_ page: StorePage, _ asValues: Bool, _ found: inout Found) throws {
        if asValues {
            found.values += try page.values(PeerDocument.self).map(\.value)
        } else {
            found.pages.append(page)
        }
    }
}
