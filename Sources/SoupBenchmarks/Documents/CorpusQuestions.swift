import Benchmarking
import JSONText
import Soups

/// What cells query in a corpus: existing keys, rare and common words, texts to search for in its files.
struct CorpusQuestions: Sendable {
    /// The path of exact and range queries, whose keys occur in the documents; nil if no index is suitable.
    var keyPath: String?
    var keys: [QuerySpec.Key] = []
    /// The path of match queries; nil without a full-text index.
    var matchPath: String?
    var rareWord: String?
    var commonWord: String?
    /// Pieces of documents that a plain store's files contain.
    var markers: [[UInt8]] = []
}

extension CorpusQuestions {
    var json: JSONValue {
        [
            "keyPath": keyPath.map { .string($0) } ?? .null, "keys": .array(keys.map(\.json)),
            "matchPath": matchPath.map { .string($0) } ?? .null,
            "rareWord": rareWord.map { .string($0) } ?? .null, "commonWord": commonWord.map { .string($0) } ?? .null,
            "markers": .array(markers.map { .string(String(decoding: $0, as: UTF8.self)) }),
        ]
    }

    init(json: JSONValue) throws(Fault) {
        // A key that cannot be a JSON number is null, on both sides.
        guard let listed = json["keys"]?.array?.filter({ !$0.isNull }),
            case let keys = listed.compactMap(QuerySpec.Key.init), keys.count == listed.count,
            let texts = json["markers"]?.array, case let markers = texts.compactMap(\.string),
            markers.count == texts.count
        else {
            throw Fault(.invalidArguments, "malformed documents in a request to a benchmark worker")
        }
        self.init(
            keyPath: json["keyPath"]?.string, keys: keys, matchPath: json["matchPath"]?.string,
            rareWord: json["rareWord"]?.string, commonWord: json["commonWord"]?.string,
            markers: markers.map { Array($0.utf8) })
    }
}

extension QuerySpec.Key {
    fileprivate var json: JSONValue {
        switch self {
        case .string(let text), .number(let text): .string(text)
        case .integer(let number): .number(JSONNumber(number))
        case .floating(let number): JSONNumber(number).map { ["floating": .number($0)] } ?? .null
        case .boolean(let truth): .bool(truth)
        }
    }

    fileprivate init?(json: JSONValue) {
        if let text = json.string {
            self = .string(text)
        } else if let number = json.int64 {
            self = .integer(number)
        } else if let number = json["floating"]?.double {
            self = .floating(number)
        } else if let truth = json.bool {
            self = .boolean(truth)
        } else {
            return nil
        }
    }
}
