import JSONText
import OData
import OfflineOData
import OfflineStore
import Soups
import TestSupport
import Testing

/// A number that is written as the literal is equal to it; one that is written in another way may be.
@Suite struct NumberSpellingTests {
    private static let values = [
        "3", "3.0", "3e0", "0.3e1", "30", "-3", #""3""#, #""3.0""#, "null", "true", "[3]", #"{"V":3}"#,
        "3.00000000000000000000000000000000001", "0", "-0", "1", "2147483648", "300",
    ]

    /// The ids that a query finds, and those that the evaluation of all rows finds.
    private static func ids(
        _ filter: String, _ model: EdmModel? = nil, limits: Limits = .default
    ) throws -> (found: [Int64], expected: [Int64]) {
        let setup = try ProductStore()
        try setup.store.registerSoup("S", indexSpecs: [.integer("V")])
        var rows = values.map { #"{"V":\#($0)}"# }
        rows += [#"{"N":{"V":3}}"#, #"{"N":{"V":3},"V":4}"#, #"{"\u0056":3}"#]
        try setup.store.upsert(rows.map { Array($0.utf8) }, into: "S")
        let type = model == nil ? nil : "N.T"
        let query = try SoupQuery("$filter=" + filter, model: model, entityType: type, limits: limits)
        let page = try setup.store.query(odata: query, in: "S").page.map { try JSONValue(parsing: $0) }
        let all = try setup.store.retrieve(ids: (1...Int64(rows.count)).map { $0 }, from: "S")
        let runner = try ODataOptionRunner("$filter=" + filter, model: model, entityType: type)
        let expected = try runner.apply(to: all.map { try JSONValue(parsing: $0) }).entities
        return (page.map(id), expected.map(id))
    }

    private static func id(_ row: JSONValue) -> Int64 { row["_soupEntryId"]?.int64 ?? 0 }

    private static func model(_ type: String) -> EdmModel {
        let row = EdmStructuredType(
            kind: .entity, name: "T", properties: [EdmProperty("V", EdmTypeReference(text: type))])
        return EdmModel(schemas: [EdmSchema(namespace: "N", entityTypes: [row])])
    }

    @Test(arguments: ["V eq 3", "3 eq V", "V eq 3.0", "V eq 3e0", "V eq 0", "V eq -0", "V eq -3", "V eq 1"])
    func `an integer is found however it is written`(filter: String) throws {
        let (found, expected) = try Self.ids(filter)
        #expect(found == expected)
        #expect(!found.isEmpty)
    }

    @Test func `a number out of the range of its declared type is null`() throws {
        for type in ["Edm.Byte", "Edm.Int16", "Edm.Int32", "Edm.Int64", "Edm.Decimal", "Edm.Double"] {
            for number in [3, 300, 2_147_483_648] as [Int64] {
                let (found, expected) = try Self.ids("V eq \(number)", Self.model(type))
                #expect(found == expected, "\(type) \(number)")
            }
        }
        #expect(try Self.ids("V eq 300", Self.model("Edm.Byte")).found.isEmpty)
        #expect(try Self.ids("V eq 300", Self.model("Edm.Int32")).found == [18])
    }

    @Test func `limits of steps count numbers that are written as the literal`() throws {
        for limits in [Limits(steps: 3), Limits(querySteps: 3)] {
            #expect {
                try Self.ids("V eq 3", limits: limits)
            } throws: { error in
                (error as? Fault)?.code == .limitExceeded
            }
        }
    }
}
