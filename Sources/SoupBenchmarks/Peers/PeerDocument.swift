import Benchmarking

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A generated document as a Swift type, as an app would declare it. The peer on GRDB declares the same.
struct PeerDocument: Codable {
    var id: Int64?
    var key: String
    var name: String
    var category: String
    var amount: Int
    var rate: Double
    var active: Bool
    var marker: String
    var address: Address
    var tags: [String]
    var body: String

    struct Address: Codable {
        var city: String
        var zip: String
    }

    enum CodingKeys: String, CodingKey {
        case id = "_soupEntryId"
        case key, name, category, amount, rate, active, marker, address, tags, body
    }

    init(json: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(json)) }
}

/// What an arm found, in a form that every arm can give: ids, and all members of the documents.
struct PeerAnswer {
    private var documents: [PeerDocument] = []
    private var totals: [Int] = []

    mutating func add(_ document: PeerDocument) { documents.append(document) }
    mutating func add(total: Int) { totals.append(total) }

    func feed(_ digest: inout ContentDigest) {
        digest.add(totals.count)
        for total in totals {
            digest.add(total)
        }
        digest.add(documents.count)
        for document in documents {
            Self.add(document, to: &digest)
        }
    }

    private static func add(_ document: PeerDocument, to digest: inout ContentDigest) {
        digest.add(Int(document.id ?? -1))
        digest.add(document.amount)
        digest.add(document.active ? 1 : 0)
        let tags = document.tags
        let texts = [
            document.key, document.name, document.category, String(document.rate), document.marker,
            document.address.city, document.address.zip, document.body,
        ]
        for text in texts + tags {
            digest.add(text)
        }
    }
}
