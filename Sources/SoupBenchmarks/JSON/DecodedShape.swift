#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The fastest way to the same values with JSONDecoder: for each shape a type that has only the members that are
/// needed.
///
/// Property names are the member names of the documents.
enum DecodedShape {
    /// The texts that the paths of the shape lead to, as our readers give them.
    static func values(of shape: JSONShape, in data: Data, _ decoder: JSONDecoder) throws -> [[UInt8]?] {
        switch shape.name {
        case "text":
            let document = try decoder.decode(DecodedText.self, from: data)
            return texts([document.name, String(document.amount), document.address.city])
        case "dense":
            let document = try decoder.decode(DecodedDense.self, from: data)
            return texts([document.f1, document.f11, document.owner.name])
        case "many":
            return try decoder.decode(DecodedMany.self, from: data).values
        case "deep":
            let document = try decoder.decode(DecodedDeep.self, from: data)
            let inner = document.a?.compactMap { $0.b?.a?.compactMap(\.n) } ?? []
            return texts([
                list(document.a?.compactMap(\.n) ?? []), "[" + inner.map(list).joined(separator: ",") + "]", document.c,
            ])
        default:
            let document = try decoder.decode(DecodedPayload.self, from: data)
            return texts([document.Name, String(document.Quantity), document.Address.City])
        }
    }

    private static func texts(_ values: [String?]) -> [[UInt8]?] { values.map { $0.map { Array($0.utf8) } } }

    private static func list(_ numbers: [Int]) -> String {
        "[" + numbers.map { String($0) }.joined(separator: ",") + "]"
    }
}

/// Decodes no value.
struct DecodedNothing: Decodable {}

struct DecodedPayload: Decodable {
    struct Address: Decodable { let City: String }
    let Name: String
    let Quantity: Int
    let Address: Address
}

private struct DecodedText: Decodable {
    struct Address: Decodable { let city: String }
    let name: String
    let amount: Int
    let address: Address
}

private struct DecodedDense: Decodable {
    struct Owner: Decodable { let name: String }
    let f1: String
    let f11: String
    let owner: Owner
}

/// A member of its own type: a hundred levels of them.
private struct DecodedDeep: Decodable {
    struct Element: Decodable {
        let n: Int?
        let b: DecodedDeep?
    }
    let a: [Element]?
    let c: String?
}

private struct DecodedMany: Decodable {
    struct Owner: Decodable {
        let name: String
        let id: Int
    }
    struct Item: Decodable {
        let sku: String
        let qty: Int
        let ok: Bool
    }
    let f0, f10, f20: Int
    let f2, f12, f22: Bool
    let f4, f14, f24: Double
    let f6, f16, f26: String
    let f8, f18, f28: String?
    let owner: Owner
    let items: [Item]

    /// In the order of the shape's paths: f0, f2, ... f28, the owner, the items.
    var values: [[UInt8]?] {
        let members: [String?] = [
            String(f0), String(f2), String(f4), f6, f8, String(f10), String(f12), String(f14), f16, f18, String(f20),
            String(f22), String(f24), f26, f28,
            owner.name, String(owner.id), list(items.map { "\"" + $0.sku + "\"" }), list(items.map { String($0.qty) }),
            list(items.map { String($0.ok) }),
        ]
        return members.map { $0.map { Array($0.utf8) } }
    }

    private func list(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }
}
