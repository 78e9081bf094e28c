/// The documents of one shape.
struct Corpus {
    let name: String
    let documents: [[UInt8]]
    let paths: [String]

    init(_ shape: JSONShape) {
        name = shape.name
        documents = shape.documents(400, seed: 1)
        paths = shape.paths
    }

    var bytes: Int { documents.reduce(0) { $0 + $1.count } }

    /// All documents as one array, for readers of whole texts.
    var array: [UInt8] { [0x5B] + documents.joined(separator: [0x2C, 0x0A]) + [0x5D] }

    static let all = JSONShape.all.map { Corpus($0) }
}
