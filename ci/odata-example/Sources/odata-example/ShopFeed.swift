import OData

/// What a program does with a feed of a shop, with the one import that it needs.
struct ShopFeed {
    struct Item: Decodable, Equatable {
        var Name: String
        var Price: Double
        var Parts: [Part]?
    }

    struct Part: Decodable, Equatable {
        var Name: String
    }

    /// The bytes of the feed, of any version and format.
    let body: [UInt8]

    /// Reads the feed piece by piece and keeps the entries that a filter leaves.
    func entries(matching filter: ODataFilterBuilder) throws(Fault) -> [ODataEntry] {
        let evaluator = try ODataEvaluator(filter: try filter.expression())
        var reader = ODataPayloadReader(options: PayloadOptions())
        try reader.append(body)
        try reader.finish()
        var found: [ODataEntry] = []
        while true {
            switch try reader.next() {
            case .entry(let entry):
                if try evaluator.matches(entry) == true {
                    found.append(entry)
                }
            case .end: return found
            case .link, .needsInput: continue
            }
        }
    }

    /// The lines that the program prints.
    func report() throws -> [String] {
        let filter = try ODataFilterBuilder.field("Name").differs(from: "O'Neil & Co").and(
            .field("Price").isGreater(than: 2))
        let found = try entries(matching: filter)
        var lines = [try filter.query()]
        for entry in found {
            let price = try entry.value("Price", as: EdmDecimal.self)
            lines.append("\(try entry.value("Name", as: String.self) ?? "-"): \(price?.description ?? "-")")
        }
        let runner = try ODataOptionRunner("$orderby=Price desc&$top=1&$count=true&$expand=Parts($select=Name)")
        let (dearest, count) = try runner.apply(to: found)
        lines.append("dearest of \(count ?? 0): \(try dearest.map { try $0.decode(Item.self) })")

        let stored: [JSONObject] = [["Name": "Tea", "Price": 5], ["Name": "Milk", "Price": 2.5]]
        let sorted = try ODataOptionRunner("$orderby=Name&$select=Name").apply(to: stored.map { JSONValue.object($0) })
        lines.append(sorted.entities.map { $0.text() }.joined(separator: " "))
        do {
            _ = try ODataFilterBuilder.field("Name or 1 eq 1")
        } catch {
            lines.append("refused: \(error.code.rawValue)")
        }
        return lines
    }

    static let example = ShopFeed(
        body: Array(
            """
            {"@odata.context":"http://shop/$metadata#Items","value":[\
            {"@odata.id":"Items(1)","Name":"Milk","Price":2.55,"Parts":[]},\
            {"@odata.id":"Items(2)","Name":"O'Neil & Co","Price":10},\
            {"@odata.id":"Items(3)","Name":"Bike","Price":99.9,"Parts":[{"Name":"Wheel","Weight":3}]},\
            {"@odata.id":"Items(4)","Name":"Gum","Price":0.5}]}
            """.utf8))
}
