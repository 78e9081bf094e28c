import Benchmarking
import JSONText
import Soups

/// What the store and its peers are both asked to do; the raw value is the end of the workload's name.
enum PeerWork: String, CaseIterable {
    case insert
    case insertFullText = "insert-full-text"
    case byID = "by-id"
    case byIDInOneRead = "by-id-one-read"
    case exact
    case allPages = "all-pages"
    case matchRare = "match-rare"
    case matchCommon = "match-common"

    /// Whether it begins with an empty file, which it fills; otherwise with one that holds all documents.
    var writes: Bool { self == .insert || self == .insertFullText }

    /// How often the questions are asked in one measurement, so that it takes some milliseconds: the request to another
    /// process then costs less than a hundredth of it.
    var times: Int {
        switch self {
        case .insert, .insertFullText, .allPages, .byIDInOneRead: 1
        case .byID, .matchCommon: 10
        case .exact: 20
        case .matchRare: 100
        }
    }

    /// The most entries of a page.
    var pageSize: Int { self == .allPages ? 100 : 10 }

    var summary: String {
        switch self {
        case .insert: "inserts all documents into an empty soup with three string indexes, 1,000 a transaction"
        case .insertFullText: "the same, and their texts into a full-text index"
        case .byID: "reads 200 entries by id, drawn at random, one a call"
        case .byIDInOneRead: "reads 2,000 entries by id, drawn at random, one a call, all in one read transaction"
        case .exact: "finds entries by a key, 64 queries"
        case .allPages: "reads all entries in pages of 100, in the order of their ids"
        case .matchRare: "finds a word that every 500th entry has: the number of entries and the first 10"
        case .matchCommon: "finds a word that nearly every entry has: the number of entries and the first 10"
        }
    }
}

/// The questions of a work, drawn from the seed: the same for every arm.
struct PeerQuestions {
    let ids: [Int64]
    let keys: [String]
    let word: String

    init(_ work: PeerWork, _ corpus: StoreCorpus, seed: UInt64) {
        ids =
            switch work {
            case .byID: corpus.ids(200, seed: seed)
            case .byIDInOneRead: corpus.ids(min(2000, corpus.count), seed: seed)
            default: []
            }
        keys =
            work == .exact
            ? corpus.questions.keys.compactMap { key in
                if case .string(let text) = key { text } else { nil }
            } : []
        word = work == .matchRare ? GeneratedCorpus.rareWord : GeneratedCorpus.commonWord
    }
}
