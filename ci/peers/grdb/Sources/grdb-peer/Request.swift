import Foundation

/// The first request of a run: what to do, with which file and settings.
struct Preparation: Decodable {
    let work: String
    let way: String
    let file: String
    let batch: Int
    let page: Int
    let cache: Int
    let times: Int
    let pageSize: Int
    let ids: [Int64]?
    let keys: [String]?
    let word: String?
    let documents: String?

    var writes: Bool { work.hasPrefix("insert") }
    var writesFullText: Bool { work == "insert-full-text" }
    var isCodable: Bool { way == "codable" }
}

/// A later request: do the work, or write what it found into a file.
struct Request: Decodable {
    let run: Bool?
    let answer: String?
}

struct Settings: Encodable {
    let journal: String
    let synchronous: Int
    let page: Int
}

struct Units: Encodable { let units: Int }
struct Done: Encodable {}
struct Refusal: Encodable { let fault: String }

struct PeerError: Error, CustomStringConvertible { let description: String }
