import Benchmarking
import OfflineStore
import SQLiteAccess
import Soups

/// The same work with the defaults and with other settings of a store, on plain and on cipher: cold reads, cached reads
/// and writes apart. `soup tune` measures them with the documents of a user.
enum SettingsCells: CellSource {
    /// The way of working with the settings that the cell's parameters name.
    static let way = "set"

    /// What is measured; the raw value is the name of the workload.
    enum Work: String, CaseIterable {
        case cold = "settings-cold"
        case cached = "settings-cached"
        case write = "settings-write"
    }

    static func cells(_ scope: CellScope) -> [Cell] {
        let corpora = StoreCorpus.all(scope)
        let largest = corpora.map(\.count).max()
        return corpora.flatMap { corpus in
            let settings =
                corpus.isGenerated
                ? StorageSetting.formats + (corpus.count == largest ? StorageSetting.sizes : [])
                : StorageSetting.all(corpus.indexes)
            return settings.flatMap { setting in
                Work.allCases.filter { $0 == .write || !specs(of: corpus).isEmpty }.map { cell($0, setting, corpus) }
            }
        }
    }

    private static func cell(_ work: Work, _ setting: StorageSetting, _ corpus: StoreCorpus) -> Cell {
        let (plain, cipher) = (Arm("plain", way), Arm("cipher", way))
        // A list of rows in order of other values than texts would be another answer.
        let sameAnswer = setting.indexes != .json1
        let comparesPlain = setting.mattersWithoutKey
        return Cell(
            work.rawValue, parameters(setting, corpus), revision: 1, summary: summary(work, setting),
            arms: comparesPlain ? [.plain, plain, .cipher, cipher] : [.plain, .cipher, cipher],
            comparisons: [.init(.cipher, cipher, sameAnswer: sameAnswer)]
                + (comparesPlain
                    ? [.init(.plain, plain, sameAnswer: sameAnswer), .init(plain, cipher)] : [.init(.plain, cipher)]),
            style: work == .write ? .once : .repeated, pairs: corpus.count >= 10_000 ? 6 : 10, profile: .full
        ) { arm, workplace in
            let used = arm.way == way ? setting : StorageSetting()
            switch work {
            case .cold:
                return FirstQueriesSubject(
                    arm: arm, folder: try corpus.filled(workplace, used), markers: corpus.questions.markers,
                    specs: specs(of: corpus), change: used.apply)
            case .cached: return try cached(arm, used, corpus, workplace)
            case .write: return try write(arm, used, corpus, workplace)
            }
        }
    }

    private static func parameters(
        _ setting: StorageSetting, _ corpus: StoreCorpus
    ) -> KeyValuePairs<String, String> {
        let entries = String(corpus.count)
        let (cache, page) = (String(setting.cacheMegabytes), String(setting.pageSize))
        let (hmac, indexes) = (setting.hmac.rawValue, setting.indexes.rawValue)
        if case .documents(let documents) = corpus.source {
            return [
                "cache": cache, "corpus": documents.name, "entries": entries, "hmac": hmac, "indexes": indexes,
                "page": page,
            ]
        }
        return ["cache": cache, "entries": entries, "hmac": hmac, "indexes": indexes, "page": page]
    }

    private static func summary(_ work: Work, _ setting: StorageSetting) -> String {
        switch work {
        case .cold: "asks all queries on a new connection with an empty cache: defaults against \(setting.name)"
        case .cached: "asks all queries again on an open store: defaults against \(setting.name)"
        case .write:
            "inserts all documents, \(StoreCorpus.batch) a transaction: defaults against \(setting.name)"
        }
    }

    private static func specs(of corpus: StoreCorpus) -> [QuerySpec] {
        QueryCells.questions(of: corpus).filter { $0.workload != "range-page" || corpus.isGenerated }.flatMap(\.specs)
    }

    private static func cached(
        _ arm: Arm, _ setting: StorageSetting, _ corpus: StoreCorpus, _ workplace: Workplace
    ) throws -> any Subject {
        let folder = try corpus.filled(workplace, setting)
        let specs = specs(of: corpus)
        var answers = QueryAnswers()
        let store = try StorageArm.open(arm, in: folder, change: setting.apply)
        return StoreSubject(store, folder: folder, markers: corpus.questions.markers) { store, _ in
            try answers.ask(specs, of: store)
            return specs.count
        } answer: { _, digest in
            answers.feed(&digest)
        }
    }

    private static func write(
        _ arm: Arm, _ setting: StorageSetting, _ corpus: StoreCorpus, _ workplace: Workplace
    ) throws -> any Subject {
        let store = try StorageArm.open(arm, in: workplace.folder, change: setting.apply)
        _ = try store.registerSoup(StoreCorpus.soup, indexSpecs: setting.specs(corpus.indexes))
        return StoreSubject(store, folder: workplace.folder, markers: corpus.questions.markers) { store, watch in
            var done = 0
            try corpus.forEachBatch(pause: { make in try watch.pause(make) }) {
                done += try store.upsert($0, into: StoreCorpus.soup).count
            }
            return done
        } answer: { store, digest in
            try StoreSubject.allEntries(of: StoreCorpus.soup, upTo: corpus.count)(store, &digest)
        }
    }
}

extension StoreCorpus {
    /// A folder with a filled store of a setting, created once in a run for each arm.
    fileprivate func filled(_ workplace: Workplace, _ setting: StorageSetting) throws -> String {
        try workplace.template("filled-\(count)-\(setting.fileName)") { folder in
            let store = try StorageArm.open(workplace.arm, in: folder, change: setting.apply)
            _ = try store.registerSoup(Self.soup, indexSpecs: setting.specs(indexes))
            try forEachBatch { try store.upsert($0, into: Self.soup) }
            try store.close()
        }
    }
}
