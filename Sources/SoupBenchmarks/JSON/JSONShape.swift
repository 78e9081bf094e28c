import Benchmarking

/// Documents of one shape, for measuring readers of JSON: their cost depends on the shape more than on anything else.
///
/// The words and numbers are drawn from a seed, so that every run and every program has the same.
package struct JSONShape: Sendable {
    package let name: String
    /// The paths to find in each document.
    package let paths: [String]
    private let make: @Sendable (inout SplitMix) -> String

    package static let all = [text, dense, deep, many, payload]

    /// Generates documents of about 1 KB.
    package func documents(_ count: Int, seed: UInt64) -> [[UInt8]] {
        var random = SplitMix(seed: seed)
        return (0..<count).map { _ in Array(make(&random).utf8) }
    }

    /// One long string and few members, as in notes and descriptions.
    package static let text = JSONShape(name: "text", paths: ["name", "amount", "address.city"]) { random in
        """
        {"id":"\(random.next(below: 1_000_000_000))","name":"\(words(3, &random))","body":"\(words(130, &random))","address":{"city":"\
        \(words(1, &random))","zip":"\(random.next(below: 99999))"},"amount":\(random.next(below: 100_000)),"closed":false}
        """
    }

    /// Many short members: the worst case of real documents.
    package static let dense = JSONShape(name: "dense", paths: ["f1", "f11", "owner.name"], make: denseDocument)

    /// The dense documents with twenty paths, some through arrays.
    package static let many = JSONShape(
        name: "many",
        paths: (0..<15).map { "f\($0 * 2)" } + ["owner.name", "owner.id", "items.sku", "items.qty", "items.ok"],
        make: denseDocument)

    /// A hundred levels.
    package static let deep = JSONShape(name: "deep", paths: ["a.n", "a.b.a.n", "c"]) { random in
        String(repeating: #"{"a":[{"n":1,"b":"#, count: 50) + "{}" + String(repeating: "}]}", count: 50)
    }

    /// The form of an OData V4 payload.
    package static let payload = JSONShape(name: "payload", paths: ["Name", "Quantity", "Address.City"]) { random in
        """
        {"@odata.id":"Orders(\(random.next(below: 100_000)))","@odata.etag":"W/\\"\(random.next(below: 100_000))\\"","ID":\
        \(random.next(below: 1_000_000)),"Key":"a3f1c2d4-5b6e-4f70-8a9b-\(random.next(below: 999_999_999_999))","Name":"\(words(3, &random))",\
        "Note":"caf\u{e9} \(words(5, &random))","CreatedAt":"2024-03-05T10:11:12.345Z","ChangedAt":"2024-04-06T01:02:03Z","Price":\
        \(random.next(below: 10_000)).0711,"Weight":\(random.next(below: 1_000)).125,"Quantity":\(random.next(below: 100)),"Active":true,"Remark":null,\
        "Total":\(random.next(below: 1_000_000_000_000)),"Address":{"City":"\(words(1, &random))","Country":"\(words(1, &random))"}}
        """
    }

    @Sendable private static func denseDocument(_ random: inout SplitMix) -> String {
        let members = (0..<30).map { index in
            "\"f\(index)\":"
                + ["\(random.next(below: 1_000))", "\"\(words(1, &random))\"", "true", "null", "1.5"][index % 5]
        }
        let items = (0..<8).map { index in
            #"{"sku":"A\#(index)","qty":\#(random.next(below: 100)),"price":\#(random.next(below: 1_000)).5,"ok":true}"#
        }
        let owner = #"{"name":"\#(words(1, &random))","id":\#(random.next(below: 1_000))}"#
        return "{" + members.joined(separator: ",") + ",\"owner\":" + owner + ",\"items\":["
            + items.joined(separator: ",") + "]}"
    }

    private static func words(_ count: Int, _ random: inout SplitMix) -> String {
        let all = [
            "offline", "core", "order", "customer", "visit", "note", "contract", "of", "in", "the", "delivery",
            "payment",
        ]
        return (0..<count).map { _ in all[Int(random.next(below: UInt64(all.count)))] }.joined(separator: " ")
    }
}
