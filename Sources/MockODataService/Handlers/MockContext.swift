import JSONText
import ServiceTransport

/// A format of payloads.
enum MockFormat: Sendable {
    case atom
    /// The JSON of version 2.0.
    case verbose
    /// The JSON of version 3.0.
    case light
    /// The JSON of version 4.
    case json
}

/// What rules spoil in an answer.
struct Spoils: OptionSet, Sendable {
    let rawValue: Int

    static let doubledEntity = Spoils(rawValue: 1)
    static let bothLinks = Spoils(rawValue: 2)
    static let repeatedLink = Spoils(rawValue: 4)
    static let foreignLink = Spoils(rawValue: 8)
    static let withoutETag = Spoils(rawValue: 16)
    static let withoutKey = Spoils(rawValue: 32)
    static let reservedMembers = Spoils(rawValue: 64)
    static let fewerAnswers = Spoils(rawValue: 128)
    static let moreAnswers = Spoils(rawValue: 256)
}

/// A request with what was read of it.
struct MockContext: Sendable {
    let request: ServiceRequest
    let route: MockODataRoute
    let format: MockFormat
    /// Whether 64-bit integers and decimals are texts in JSON of version 4.
    let quotesNumbers: Bool
    /// The URL of the service, absolute where the request says its host.
    let root: String
    var spoils: Spoils = []

    func header(_ name: String) -> String? {
        request.headers.first { $0.name.lowercased() == name }?.value
    }

    /// Whether the header `Prefer` has a preference, with or without its prefix.
    func prefers(_ name: String) -> Bool {
        (header("prefer") ?? "").split(separator: ",").contains { part in
            let word = part.split(separator: " ").joined().lowercased()
            return word == name || word == "odata." + name
        }
    }

    /// The greatest number of entities on a page that the client asks for.
    var wantedPageSize: Int? {
        for part in (header("prefer") ?? "").split(separator: ",") {
            let word = part.split(separator: " ").joined().lowercased()
            for name in ["odata.maxpagesize=", "maxpagesize="] where word.hasPrefix(name) {
                return Int(word.dropFirst(name.utf8.count))
            }
        }
        return nil
    }
}

/// The answer to one request, before faults change it.
struct MockReply: Sendable {
    var status: Int
    var headers: [Pair] = []
    var body: [UInt8] = []

    init(_ status: Int, _ headers: [Pair] = [], _ body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
