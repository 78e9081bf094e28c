/// The rows of a JSON feed of `FeedCorpus` for JSONDecoder, with dates and guids as strings, which is fastest.
struct DecodedFeed: Decodable {
    struct Address: Decodable {
        let City: String
        let Country: String
    }

    struct Row: Decodable {
        let OrderID: Int32?
        let RowGuid: String?
        let Name: String?
        let Note: String?
        let Created: String?
        let Changed: String?
        let Price: Double?
        let Weight: Double?
        let Count: Int16?
        let Open: Bool?
        let Stamp: String?
        let Serial: Int64?
        let Remark: String?
        let Address: Address
        let Items: [Row]?
    }

    let value: [Row]
}
