import JSONText
import MockODataService
import OfflineOData
import SQLiteAccess
import ServiceTransport
import TestSupport
import Testing

/// A technician's day: orders and items in the morning, work without a connection, changes in the evening, and an
/// office that changes the same orders meanwhile.
@Suite struct FieldServiceScenario {
    static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Field" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Technician"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Technician" Type="Edm.Int32"/>
        <Property Name="Status" Type="Edm.String"/><Property Name="Notes" Type="Edm.String"/>
        <Property Name="Due" Type="Edm.DateTimeOffset"/>
        <NavigationProperty Name="Items" Type="Collection(Field.Item)" Partner="Order"><OnDelete Action="Cascade"/>
        </NavigationProperty></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="OrderID" Type="Edm.Int32" Nullable="false"/><Property Name="Line" Type="Edm.Int32"/>
        <Property Name="Qty" Type="Edm.Int32"/><Property Name="PartID" Type="Edm.Int32"/>
        <NavigationProperty Name="Order" Type="Field.Order" Partner="Items" Nullable="false">
        <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty>
        <NavigationProperty Name="Part" Type="Field.Part">
        <ReferentialConstraint Property="PartID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Technicians" EntityType="Field.Technician"/>
        <EntitySet Name="Orders" EntityType="Field.Order">
        <NavigationPropertyBinding Path="Items" Target="Items"/></EntitySet>
        <EntitySet Name="Items" EntityType="Field.Item"><NavigationPropertyBinding Path="Order" Target="Orders"/>
        <NavigationPropertyBinding Path="Part" Target="Parts"/></EntitySet>
        <EntitySet Name="Parts" EntityType="Field.Part"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let morning = "$filter=Technician eq 7&$expand=Items"

    /// Orders 1 to 4 are the technician's, 5 is that of a colleague. Each has two items of one part.
    private static func service() throws -> MockODataService {
        let service = try MockODataService(metadata: Array(metadata.utf8))
        try service.add(["ID": 7, "Name": "Ada"], to: "Technicians")
        for id in 1...3 as ClosedRange<Int64> {
            try service.add(["ID": .number(.init(id)), "Name": .string("part \(id)")], to: "Parts")
        }
        for id in 1...5 as ClosedRange<Int64> {
            try service.add(
                [
                    "ID": .number(.init(id)), "Technician": id == 5 ? 8 : 7, "Status": id == 4 ? "done" : "open",
                    "Notes": .string("order \(id)"), "Due": .string("2026-05-0\(6 - id)T08:00:00Z"),
                ], to: "Orders")
            for line in 1...2 as ClosedRange<Int64> {
                try service.add(
                    [
                        "ID": .number(.init(id * 10 + line)), "OrderID": .number(.init(id)),
                        "Line": .number(.init(3 - line)), "Qty": .number(.init(line)), "PartID": 1,
                    ], to: "Items")
            }
        }
        return service
    }

    private func setup(_ route: ScenarioRoute, _ backEnd: BackEnd) throws -> ScenarioSetup {
        let names = ["Technicians", "Orders", "Items", "Parts"]
        return try ScenarioSetup(
            try Self.service(), metadata: Self.metadata, route, backEnd,
            sets: Dictionary(uniqueKeysWithValues: names.map { ($0, EntitySetSettings()) }))
    }

    /// The morning's loads.
    private func begin(_ setup: ScenarioSetup) async throws {
        #expect(try await setup.client.load("Parts").status == .done)
        let orders = try await setup.client.load("Orders", query: Self.morning)
        #expect(orders.status == .done && orders.summary.entities == 4)
        _ = setup.takeLog()
    }

    @Test(arguments: ScenarioRoute.allCases, BackEnds.available)
    func `orders come with their items, are changed offline, and go back in one batch`(
        route: ScenarioRoute, backEnd: BackEnd
    ) async throws {
        let setup = try setup(route, backEnd)
        try await begin(setup)
        let client = setup.client
        #expect(try setup.column("ID", of: "Items").count == 8)
        #expect(try setup.rows("Orders").allSatisfy { $0["Items"] == nil }, "items have rows of their own")

        // Without a connection.
        let view =
            "$filter=Status eq 'open'&$orderby=Due&$top=20&$expand=Items($orderby=Line;$expand=Part($select=Name))"
        let open = try setup.rows("Orders", view)
        #expect(open.map { $0["ID"] } == [3, 2, 1])
        let items = try #require(open.first?["Items"]?.array)
        #expect(items.map { $0["ID"] } == [32, 31] && items[0]["Part"]?["Name"] == "part 1")
        let order = try await client.create(
            "Orders", ["Technician": 7, "Status": "open", "Notes": "new", "Due": "2026-05-09T08:00:00+02:00"])
        let local = try #require(order["__key__"])
        for line in 1...3 as ClosedRange<Int64> {
            try await client.create(
                "Items", ["OrderID": local, "Line": .number(.init(line)), "Qty": 5, "PartID": .number(.init(line))])
        }
        try await client.update("Orders", .key(2), ["Status": "done"])
        try await client.delete("Items", .key(31))
        #expect(setup.takeLog().isEmpty)

        // In the evening.
        let pushed = try await client.push(mode: .batch, changeSet: .perTree)
        #expect(pushed.status == .done && pushed.outcomes.map(\.kind) == Array(repeating: .done, count: 6))
        let requests = setup.takeLog()
        #expect(requests.count == 1)
        let lines = requests.first?.partLines.map { $0.split(separator: "?").first.map(String.init) ?? "" }
        #expect(
            lines == [
                "POST Orders", "POST $1/Items", "POST $1/Items", "POST $1/Items", "PATCH Orders(2)",
                "DELETE Items(31)",
            ])
        let body = String(decoding: requests.first?.body ?? [], as: UTF8.self)
        #expect(body.contains("If-Match: W/\"1\"") && !body.contains("local_"))
        #expect(try await client.pending().isEmpty)
        let created = try #require(setup.service.entities(of: "Orders").last)
        #expect(created["Notes"] == "new")
        let key = try #require(created["ID"])
        #expect(setup.service.entities(of: "Items").filter { $0["OrderID"] == key }.count == 3)
        #expect(try setup.column("OrderID", of: "Items", "$filter=Qty eq 5") == [key, key, key])
        #expect(try await client.load("Orders", query: Self.morning, mode: .full).status == .done)
        #expect(
            try setup.differences("Orders", names: ["Status", "Notes", "Due"]).allSatisfy { $0 == "lost: Orders(5)" })
        #expect(try setup.rows("Orders", "$expand=Items&$orderby=ID desc&$top=1")[0]["Items"]?.array?.count == 3)
    }

    @Test(arguments: ScenarioRoute.allCases, BackEnds.available)
    func `the office has changed the same orders`(route: ScenarioRoute, backEnd: BackEnd) async throws {
        let setup = try setup(route, backEnd)
        try await begin(setup)
        let client = setup.client
        try await client.update("Orders", .key(1), ["Notes": "mine"])
        try await client.update("Orders", .key(2), ["Notes": "mine"])
        try setup.service.set("Orders", "(1)", ["Status": "waiting"])
        try setup.service.set("Orders", "(2)", ["Notes": "theirs", "Status": "waiting"])
        let pushed = try await client.push(conflict: .merge)
        #expect(pushed.outcomes.map(\.kind) == [.done, .conflict])
        let first = try #require(setup.service.entities(of: "Orders").first)
        #expect(first["Notes"] == "mine" && first["Status"] == "waiting")
        #expect(try setup.rows("Orders", "$filter=ID eq 1")[0]["Status"] == "waiting")

        // Both versions are there until somebody decides; the row is not sent before.
        let conflict = try #require(try await client.conflicts().first)
        #expect(conflict.mine["Notes"] == "mine" && conflict.theirs?["Notes"] == "theirs")
        _ = setup.takeLog()
        #expect(try await client.push().outcomes.isEmpty && setup.takeLog().isEmpty)
        try await client.resolve("Orders", entryId: conflict.entryId, .mine)
        #expect(try await client.push().outcomes.map(\.kind) == [.done])
        let second = setup.service.entities(of: "Orders")[1]
        #expect(second["Notes"] == "mine" && second["Status"] == "waiting")
        #expect(try await client.pending().isEmpty)
    }

    @Test(arguments: ScenarioRoute.allCases, BackEnds.available)
    func `the answer to the evening's batch is lost`(route: ScenarioRoute, backEnd: BackEnd) async throws {
        let setup = try setup(route, backEnd)
        try await begin(setup)
        let order = try await setup.client.create("Orders", ["Technician": 7, "Status": "open", "Notes": "new"])
        try await setup.client.update("Orders", .key(2), ["Status": "done"])
        setup.service.add(ODataFaultRule(.dropAfter, call: .batch))
        let lost = try await setup.client.push(mode: .batch, changeSet: .perTree)
        #expect(lost.status == .failed && lost.fault?.code == .noAnswer)
        try setup.reopen()
        let client = setup.client
        let doubt = try #require(try await client.doubts().first)
        #expect(doubt.entryId == order["_soupEntryId"]?.int64)

        // The change is there already; the order is held, and not sent again.
        let again = try await client.push(mode: .batch, changeSet: .perTree)
        #expect(again.status == .done)
        #expect(setup.service.entities(of: "Orders").filter { $0["Notes"] == "new" }.count == 1)
        let key = try #require(setup.service.entities(of: "Orders").last?["ID"])
        try await client.resolveDoubt("Orders", entryId: doubt.entryId, createdAs: key)
        #expect(try await client.doubts().isEmpty)
        #expect(try await client.push().status == .done)
        #expect(setup.service.entities(of: "Orders").filter { $0["Notes"] == "new" }.count == 1)
        #expect(try await client.load("Orders", query: Self.morning, mode: .full).status == .done)
        #expect(try await client.pending().isEmpty)
        #expect(try setup.column("Status", of: "Orders", "$filter=ID eq 2") == ["done"])
    }

    @Test(arguments: ScenarioRoute.allCases, BackEnds.available)
    func `at noon an order goes to a colleague, and an item comes before its order`(
        route: ScenarioRoute, backEnd: BackEnd
    ) async throws {
        let setup = try setup(route, backEnd)
        try await begin(setup)
        #expect(try await setup.client.load("Items").status == .done)
        try setup.service.set("Orders", "(3)", ["Technician": 8])
        try setup.service.set("Items", "(61)", ["OrderID": 6, "Line": 1, "Qty": 1, "PartID": 2])
        try setup.service.set("Orders", "(6)", ["Technician": 7, "Status": "open", "Notes": "late"])
        #expect(try await setup.client.load("Items", mode: .delta).status == .done)
        #expect(try setup.rows("Orders", "$filter=ID eq 6").isEmpty)
        let noon = try await setup.client.load("Orders", query: Self.morning, mode: .delta)
        #expect(noon.status == .done)
        #expect(try setup.column("ID", of: "Orders", "$orderby=ID") == [1, 2, 4, 6])
        #expect(try setup.rows("Orders", "$filter=ID eq 6&$expand=Items")[0]["Items"]?.array?.count == 1)
    }
}
