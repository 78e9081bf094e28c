import JSONText
import OData
import Soups
import Testing

@Suite struct EvaluatorTests {
    /// Six rows to which the rules for null and strings apply; the properties of some rows are absent.
    static let rows: [JSONValue] = [
        [
            "ID": 1, "Name": "Milk", "Price": 2.55, "Rating": 4, "Tags": ["dairy", "white"], "Addr": ["City": "Berlin"],
            "Released": "2012-12-31T23:30:00-05:00",
        ],
        [
            "ID": 2, "Name": "milk shake", "Price": nil, "Rating": 5, "Tags": [], "Addr": nil,
            "Released": "2013-01-01T04:30:00Z",
        ],
        ["ID": 3, "Name": nil, "Price": 10, "Rating": nil, "Tags": nil],
        [
            "ID": 4, "Name": "50% off", "Price": -7, "Rating": -7, "Tags": ["a_b", nil],
            "Released": "0001-01-01T00:00:00Z",
        ],
        ["ID": 5, "Name": "a_b", "Price": 0.1, "Rating": 0],
        ["ID": 6, "Name": "O'Neil \u{c4}rger", "Price": 15.5, "Rating": 3],
    ]

    @Test(arguments: [
        ("Name ne 'Milk'", [2, 3, 4, 5, 6]), ("Price gt 0 or Price le 0", [1, 3, 4, 5, 6]), ("contains(Name,'%')", [4]),
        ("contains(Name,'_')", [5]),
        ("contains(Name,'MILK')", []), ("contains(tolower(Name),'milk')", [1, 2]),
        ("startswith(Name,'')", [1, 2, 4, 5, 6]), ("endswith(Name,'')", [1, 2, 4, 5, 6]),
        ("Price add 1 eq null", [2]), ("round(-0.5) eq -1 and round(2.5) eq 3", [1, 2, 3, 4, 5, 6]),
        ("Tags/any(t:t eq 'dairy')", [1]), ("Tags/any()", [1, 4]),
        ("not Tags/any(t:t eq 'dairy')", [2, 3, 4, 5, 6]), ("Tags/$count eq 0", [2, 3, 5, 6]),
        ("Addr/City eq null", [2, 3, 4, 5, 6]),
        ("Addr/City ne 'Berlin'", [2, 3, 4, 5, 6]), ("Released lt 2000-01-01T00:00:00Z", [4]),
        ("substring(Name,1,2) eq 'il'", [1, 2]),
        ("substring(Name,100) eq ''", [1, 2, 4, 5, 6]), ("Name eq 'x'' OR 1=1 --'", []),
    ])
    func `filters keep the rows that they mean`(_ filter: String, _ ids: [Int64]) throws {
        let evaluator = try ODataEvaluator(filter: ODataExpression(parsing: filter))
        #expect(try Self.rows.filter { try evaluator.matches($0) == true }.map { $0["ID"]?.int64 ?? 0 } == ids)
    }

    @Test func `orders put null first`() throws {
        func order(_ text: String) throws -> [Int64] {
            let options = try ODataURL.options(parsing: "$orderby=" + text)
            let item = try #require(options.orderBy?.first)
            let evaluator = try ODataEvaluator(item.expression)
            let keyed = try Self.rows.map { (try evaluator.value(for: $0), $0["ID"]?.int64 ?? 0) }
            return keyed.sorted {
                let order = Comparison.orderForSorting($0.0, $1.0)
                return order == .same ? $0.1 < $1.1 : (order == .less) != item.isDescending
            }.map(\.1)
        }
        #expect(try order("Price") == [2, 4, 5, 1, 3, 6])
        #expect(try order("Price desc") == [6, 3, 1, 5, 4, 2])
    }

    @Test func `aliases are replaced by their expressions`() throws {
        let options = try ODataURL.options(
            parsing: "$filter=Price gt @low and Name eq @name&@low=@base add 1&@base=1&@name='Milk'")
        let filter = try #require(options.filter)
        let evaluator = try ODataEvaluator(filter: filter, aliases: options.aliases)
        #expect(try Self.rows.filter { try evaluator.matches($0) == true }.count == 1)
        let cyclic = try ODataURL.options(parsing: "$filter=@a&@a=@b&@b=@a")
        #expect { try ODataEvaluator(filter: #require(cyclic.filter), aliases: cyclic.aliases) } throws: {
            ($0 as? Fault)?.code == .syntax
        }
    }

    @Test func `aliases are computed once for a row`() throws {
        // Each alias uses the next one eight times. Without caching these would be 8^7 evaluations.
        let links = (0..<7).map { "@a\($0)=" + Array(repeating: "@a\($0 + 1)", count: 8).joined(separator: " add ") }
        let options = try ODataURL.options(parsing: "$filter=@a0 gt 1&" + links.joined(separator: "&") + "&@a7=1")
        let evaluator = try ODataEvaluator(filter: #require(options.filter), aliases: options.aliases)
        #expect(try evaluator.matches([:] as JSONValue) == true)
    }

    @Test func `many aliases are each prepared once`() throws {
        // Each alias uses all aliases after it. If each path were prepared separately, these would be 2^24.
        let links = (0..<24).map { first in
            "@a\(first)=" + (first + 1...24).map { "@a\($0)" }.joined(separator: " add ")
        }
        let options = try ODataURL.options(parsing: "$filter=@a0 gt 1&" + links.joined(separator: "&") + "&@a24=1")
        #expect(
            try ODataEvaluator(filter: #require(options.filter), aliases: options.aliases).matches([:] as JSONValue)
                == true)
        let chain = (0..<200).map { "@a\($0)=@a\($0 + 1)" }.joined(separator: "&")
        let long = try ODataURL.options(parsing: "$filter=@a0&" + chain)
        #expect { try ODataEvaluator(filter: #require(long.filter), aliases: long.aliases) } throws: {
            ($0 as? Fault)?.code == .limitExceeded
        }
    }

    @Test func `now is one instant for a query`() throws {
        let now = try #require(EdmDateTimeOffset("2020-05-06T07:08:09Z"))
        let evaluator = try ODataEvaluator(ODataExpression(parsing: "now()"), now: now)
        #expect(try evaluator.value(for: [:] as JSONValue) == .dateTimeOffset(now))
    }

    @Test func `values of all kinds come out`() throws {
        let entity: JSONValue = ["A": [1, "x", nil], "B": ["C": true]]
        func value(_ text: String) throws -> ODataValue {
            try ODataEvaluator(ODataExpression(parsing: text, version: .v401)).value(for: entity)
        }
        #expect(try value("A") == .collection([.decimal(EdmDecimal(1)), .string("x"), .null]))
        #expect(try value("B") == .complex([.init("C", .boolean(true))]))
        #expect(try value("[1,'a']") == .collection([.int32(1), .string("a")]))
        #expect(try value("1 add 1") == .int32(2))
    }
}
