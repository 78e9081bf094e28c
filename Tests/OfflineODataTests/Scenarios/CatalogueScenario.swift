import Foundation
import JSONText
import MockODataService
import OData
import OfflineOData
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// A catalogue that is loaded page by page, cut, brought up to date by its changes, and asked.
///
/// `SOUP_ODATA_CATALOGUE` sets the number of products; with 100,000 the load has 2,000 pages.
@Suite struct CatalogueScenario {
    static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Product"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Group" Type="Edm.String"/><Property Name="Price" Type="Edm.Decimal"/>
        <Property Name="Stock" Type="Edm.Int64"/><Property Name="Added" Type="Edm.DateTimeOffset"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Products" EntityType="Shop.Product"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let count = Int(ProcessInfo.processInfo.environment["SOUP_ODATA_CATALOGUE"] ?? "") ?? 1_000
    private static let pageSize = 50
    private static var pages: Int { (count + pageSize - 1) / pageSize }

    static func product(_ id: Int) -> JSONObject {
        [
            "ID": .number(.init(Int64(id))), "Name": .string("artikel-\(id * 7919 % 100_003)"),
            "Group": .string("g\(id % 17)"), "Price": .number(.init(Int64(id * 31 % 10_007))),
            "Stock": id % 5 == 0 ? .null : .number(.init(Int64(id % 1_000))), "Added": .string("2026-01-01T00:00:00Z"),
        ]
    }

    private static let queries = [
        "$filter=ID eq 500", "$filter=Group eq 'g3' and Price gt 5000&$count=true", "$filter=Stock eq null&$top=20",
        "$filter=startswith(Name,'artikel-5')&$orderby=Name", "$filter=contains(Name,'99')",
        "$orderby=Price desc,ID&$top=50&$skip=10", "$filter=not (Group eq 'g1' or Group eq 'g2')&$top=30",
        "$filter=length(Name) lt 10", "$filter=Price ge 100 and Price lt 200&$select=Name,Price",
        "$filter=Added lt 2027-01-01T00:00:00Z and Stock in (1,2,3)&$count=true",
    ]

    @Test(arguments: BackEnds.available)
    func `a catalogue is loaded, cut, resumed, changed and asked`(backEnd: BackEnd) async throws {
        var options = MockODataOptions()
        options.pageSize = Self.pageSize
        options.changeLimit = Self.count + 2_000
        options.version = .v401
        let service = try MockODataService(metadata: Array(Self.metadata.utf8), options: options)
        for id in 1...Self.count {
            try service.add(Self.product(id), to: "Products")
        }
        var settings = EntitySetSettings()
        settings.indexSpecs = [.string("Name"), .string("Group"), IndexSpec(path: "Price", type: .json1)]
        let setup = try ScenarioSetup(
            service, metadata: Self.metadata, .overHTTP, backEnd, sets: ["Products": settings])

        // Cut after a third of the pages; the rest comes, and no page twice but the one that was cut.
        let cutAt = Self.pages * 7 / 20
        service.add(ODataFaultRule(.cut(atByte: nil), call: .nextPage, nth: cutAt))
        let cut = try await setup.client.load("Products")
        #expect(cut.status == .failed && cut.fault?.code == .noAnswer && cut.summary.pages == cutAt)
        try setup.reopen()
        #expect(try await setup.client.resume("Products").status == .done)
        #expect(setup.takeLog().count == Self.pages + 1)
        #expect(try setup.differences("Products").isEmpty)

        // Changes, and nothing but them.
        for id in stride(from: 1, through: Self.count, by: Self.count / 50) {
            try service.delete("Products", "(\(id))")
            for next in id + 1...id + 10 {
                try service.set("Products", "(\(next))", ["Name": .string("neu-\(next)")])
            }
        }
        let delta = try await setup.client.load("Products", mode: .delta)
        #expect(delta.status == .done && delta.summary.deleted >= 50)
        #expect(delta.summary.entities < Self.count)
        #expect(try setup.differences("Products").isEmpty)

        // The link to changes has expired: all of it comes, and the rows are there meanwhile.
        try service.delete("Products", "(\(Self.count - 1))")
        service.add(ODataFaultRule(.status(410, .error), call: .delta))
        service.onSignal { _ in }
        let kept = try setup.rows("Products").count
        service.add(ODataFaultRule(.dropBefore, call: .nextPage, nth: 2))
        #expect(try await setup.client.load("Products").status == .failed)
        #expect(try setup.rows("Products").count == kept)
        #expect(try await setup.client.resume("Products").status == .done)
        #expect(try setup.differences("Products").isEmpty)

        try ask(setup)
        if backEnd.isKeyed {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: setup.path))
            #expect(bytes.range(of: Data("artikel-".utf8)) == nil)
        }
    }

    /// Each query gives what the evaluator gives over all rows.
    private func ask(_ setup: ScenarioSetup) throws {
        let set = try setup.map.set("Products")
        let all = try setup.rows("Products")
        for query in Self.queries {
            let runner = try ODataOptionRunner(
                query, version: .v401, model: setup.map.model?.describingRows(), entityType: set.entityType)
            let expected = try runner.apply(to: all)
            var cursor = try setup.client.query("Products", query)
            var found = cursor.page
            while try cursor.next() {
                found += cursor.page
            }
            #expect(try found.map { try JSONValue(parsing: $0) } == expected.entities, "\(query)")
            #expect(cursor.count == expected.count, "\(query)")
            #expect(!found.isEmpty, "\(query)")
        }
    }
}
