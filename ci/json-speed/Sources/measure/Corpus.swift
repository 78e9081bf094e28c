/// Documents of one shape. The numbers and words in them come from a fixed sequence, so every run has the same.
struct Corpus {
    let name: String
    let documents: [[UInt8]]
    let paths: [String]

    var bytes: Int { documents.reduce(0) { $0 + $1.count } }

    /// All documents as one array, for readers of whole texts.
    var array: [UInt8] { [0x5B] + documents.joined(separator: [0x2C, 0x0A]) + [0x5D] }

    static let all = [text, dense, deep, many, payload]

    /// One long string and few members, about 1 KB: notes, descriptions.
    static let text = Corpus(name: "text", documents: make { source in
        """
        {"id":"\(source.number(1_000_000_000))","name":"\(source.words(3))","body":"\(source.words(130))","address":{"city":"\(source.words(1))","zip":\
        "\(source.number(99999))"},"amount":\(source.number(100_000)).25,"closed":false}
        """
    }, paths: ["name", "amount", "address.city"])

    /// Many short members, about 1 KB: the worst case of real documents.
    static let dense = Corpus(name: "dense", documents: make { source in
        let members = (0..<30).map { "\"f\($0)\":" + [source.number(1000), "\"\(source.words(1))\"", "true", "null", "1.5"][$0 % 5] }
        let items = (0..<8).map { #"{"sku":"A\#($0)","qty":\#(source.number(100)),"price":\#(source.number(1000)).5,"ok":true}"# }
        return "{\(members.joined(separator: ",")),\"owner\":{\"name\":\"\(source.words(1))\",\"id\":\(source.number(1000))},\"items\":[\(items.joined(separator: ","))]}"
    }, paths: ["f1", "f13", "owner.name"])

    /// A hundred levels.
    static let deep = Corpus(name: "deep", documents: make { source in
        String(repeating: #"{"a":[{"n":1,"b":"#, count: 50) + source.number(10) + String(repeating: "}]}", count: 50)
    }, paths: ["a.b.a", "a.n", "c"])

    /// The dense documents with twenty paths, some through arrays.
    static let many = Corpus(name: "many", documents: dense.documents, paths: (0..<15).map { "f\($0 * 2)" } + ["owner.name", "owner.id", "items.sku", "items.qty", "items"])

    /// What an OData V4 service sends.
    static let payload = Corpus(name: "payload", documents: make { source in
        """
        {"@odata.id":"Orders(\(source.number(100_000)))","@odata.etag":"W/\\"\(source.number(100_000))\\"","ID":\(source.number(1_000_000)),\
        "Key":"a3f1c2d4-5b6e-4f70-8a9b-\(source.number(999_999_999_999))","Name":"\(source.words(3))","Note":"caf\u{e9} \(source.words(5))","CreatedAt":\
        "2024-03-05T10:11:12.345Z","ChangedAt":"2024-04-06T01:02:03Z","Price":\(source.number(10000)).0711,"Weight":\(source.number(1000)).125,"Quantity":12,\
        "Active":true,"Remark":null,"Total":\(source.number(1_000_000_000_000)),"Address":{"City":"\(source.words(1))","Country":"\(source.words(1))"}}
        """
    }, paths: ["Name", "Price", "Address.City"])

    private static func make(_ document: (inout Source) -> String) -> [[UInt8]] {
        var source = Source()
        return (0..<400).map { _ in Array(document(&source).utf8) }
    }
}

/// A fixed sequence of numbers and words.
struct Source {
    private var state: UInt64 = 42

    mutating func next() -> UInt64 {
        state = state &* 6364136223846793005 &+ 1442695040888963407
        return state >> 33
    }

    mutating func number(_ bound: UInt64) -> String { String(next() % bound) }

    mutating func words(_ count: Int) -> String {
        let all = ["offline", "core", "order", "customer", "visit", "note", "contract", "of", "in", "the", "delivery", "payment"]
        return (0..<count).map { _ in all[Int(next() % UInt64(all.count))] }.joined(separator: " ")
    }
}
