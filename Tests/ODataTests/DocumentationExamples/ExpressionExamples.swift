import OData
import Testing

/// The examples about URLs, expressions and values, in the documentation of the types.
@Suite struct ExpressionExamples {
    @Test func `the example of ODataURL`() throws {
        // Example: Sources/OData/URL/ODataURL.swift
        let url = try ODataURL(parsing: "https://host/shop.svc/Items(7)/Parts?$filter=Price%20gt%202.5&$top=10")
        let path = url.resource.map(\.name)
        let filter = url.options.filter?.canonicalText
        let top = url.options.top
        // End of example
        #expect(path == ["Items", "Parts"] && filter == "Price gt 2.5" && top == 10)
    }

    @Test func `the example of ODataExpression`() throws {
        // Example: Sources/OData/Expressions/ODataExpression.swift
        let filter = try ODataExpression(parsing: "contains(Name,'milk') and (Price lt 3)")
        let text = filter.canonicalText
        let operands = filter.children(of: filter.root).map { filter.text(of: $0) }
        // End of example
        #expect(text == "contains(Name,'milk') and Price lt 3" && operands == ["contains(Name,'milk')", "Price lt 3"])
    }

    @Test func `the example of ODataEvaluator`() throws {
        // Example: Sources/OData/Evaluation/ODataEvaluator.swift
        let filter = try ODataExpression(parsing: "Price lt 3 or startswith(Name,'M')")
        let evaluator = try ODataEvaluator(filter: filter)
        let items: [JSONValue] = [["Name": "Milk", "Price": 4], ["Name": "Tea", "Price": 5]]
        let found = try items.filter { try evaluator.matches($0) == true }
        // End of example
        #expect(found.map { $0["Name"] } == ["Milk"])
    }

    @Test func `the example of QueryOptions`() throws {
        // Example: Sources/OData/Options/QueryOptions.swift
        let options = try ODataURL.options(parsing: "$orderby=Price desc&$skip=20&$expand=Parts($select=Name)")
        let isDescending = options.orderBy?.first?.isDescending
        let query = options.query
        // End of example
        #expect(isDescending == true && query.contains("$skip=20"))
    }

    @Test func `the example of SearchExpression`() throws {
        // Example: Sources/OData/Options/SearchExpression.swift
        let search = try SearchExpression(parsing: #"milk AND NOT "low fat""#)
        let text = search.canonicalText
        // End of example
        #expect(text == #"milk AND NOT "low fat""#)
    }

    @Test func `the example of ODataValue`() throws {
        // Example: Sources/OData/Values/ODataValue.swift
        let date = try ODataValue(parsing: "2026-05-04", as: .date)
        let text = date.canonicalText
        // End of example
        #expect(text == "2026-05-04")
    }

    @Test func `the example of EdmDecimal`() throws {
        // Example: Sources/OData/Values/EdmDecimal.swift
        let price = EdmDecimal("19.90")
        let total = price?.multiplied(by: EdmDecimal(3))
        // End of example
        #expect(total?.description == "59.70")
    }

    @Test func `the example of optionRunner`() throws {
        // Example: Sources/OData/Running/ODataOptionRunner.swift
        let runner = try ODataOptionRunner("$filter=Price gt 3&$orderby=Name&$top=10&$count=true")
        let items: [JSONValue] = [["Name": "Tea", "Price": 5], ["Name": "Milk", "Price": 2.5]]
        let (found, count) = try runner.apply(to: items)
        // End of example
        #expect(found == [["Name": "Tea", "Price": 5]] && count == 1)
    }

    @Test func `the example of filterBuilder`() throws {
        // Example: Sources/OData/Filters/ODataFilterBuilder.swift
        let filter = try ODataFilterBuilder.field("Name").equals("O'Neil").and(.field("Price").isGreater(than: 3))
        let text = try filter.text()
        let query = try filter.query()
        // End of example
        #expect(text == "Name eq 'O''Neil' and Price gt 3" && query.hasPrefix("$filter=Name%20eq%20'O''Neil'"))
    }

    @Test func `the example of landingPage`() throws {
        // Example: Sources/OData/OData.docc/OData.md
        let url = try ODataURL(parsing: "Items?$filter=Price lt 3&$orderby=Name")
        let text = url.options.filter?.canonicalText
        // End of example
        #expect(text == "Price lt 3")
    }
}
