import JSONText
import MockODataService
import OData
import OfflineOData
import SQLiteAccess
import ServiceTransport
import TestSupport
import Testing

/// What becomes of foreign keys when the entities that they name are created, created again, or deleted.
@Suite struct ReferencePushTests {
    private static func metadata(nodesCascade: Bool) -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Orders" Type="Collection(N.Order)" Partner="Customer"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <Property Name="CustomerID" Type="Edm.Int32"/>
        <NavigationProperty Name="Customer" Type="N.Customer" Partner="Orders"><ReferentialConstraint
         Property="CustomerID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Node"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="ParentID" Type="Edm.Int32"/>
        <NavigationProperty Name="Parent" Type="N.Node" Partner="Children"><ReferentialConstraint
         Property="ParentID" ReferencedProperty="ID"/></NavigationProperty>
        <NavigationProperty Name="Children" Type="Collection(N.Node)" Partner="Parent">
        \(nodesCascade ? "<OnDelete Action=\"Cascade\"/>" : "")</NavigationProperty></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Customers" EntityType="N.Customer">
        <NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet>
        <EntitySet Name="Orders" EntityType="N.Order"><NavigationPropertyBinding Path="Customer" Target="Customers"/>
        </EntitySet><EntitySet Name="Nodes" EntityType="N.Node"><NavigationPropertyBinding Path="Parent" Target="Nodes"/>
        <NavigationPropertyBinding Path="Children" Target="Nodes"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    }

    private static func setup(
        nodesCascade: Bool = false, options: MockODataOptions = MockODataOptions(),
        _ fill: (MockODataService) throws -> Void
    ) async throws -> ScenarioSetup {
        let metadata = metadata(nodesCascade: nodesCascade)
        let service = try MockODataService(metadata: Array(metadata.utf8), options: options)
        try fill(service)
        let sets = ["Customers": EntitySetSettings(), "Orders": EntitySetSettings(), "Nodes": EntitySetSettings()]
        let setup = try ScenarioSetup(service, metadata: metadata, .inProcess, .plain, sets: sets)
        for set in sets.keys.sorted() {
            try await setup.client.load(set)
        }
        return setup
    }

    @Test(arguments: [PushMode.single, .batch])
    func `rows that refer to an entity that is created again are sent with its new key`(_ mode: PushMode) async throws {
        let setup = try await Self.setup { service in
            try service.add(["ID": 1, "Name": "Ada"], to: "Customers")
            try service.add(["ID": 1, "Text": "clean", "CustomerID": 1], to: "Orders")
            try service.add(["ID": 2, "Text": "changed", "CustomerID": 1], to: "Orders")
            try service.add(["ID": 3, "Text": "of nobody else", "CustomerID": nil], to: "Orders")
        }
        try setup.service.delete("Customers", "(1)")
        try await setup.client.update("Customers", .key(1), ["Name": "Ada Lovelace"])
        try await setup.client.update("Orders", .key(2), ["Text": "changed here"])
        // The service emptied the foreign keys, which is a conflict of its own.
        for _ in 0..<4 {
            _ = try await setup.client.push(mode: mode, conflict: .mine)
        }
        #expect(try setup.differences("Customers").isEmpty)
        #expect(try setup.differences("Orders").isEmpty)
        let key = try #require(try setup.column("ID", of: "Customers").first)
        #expect(try setup.column("CustomerID", of: "Orders", "$orderby=ID") == [key, key, .null])
        #expect(try setup.column("__local__", of: "Orders") == [false, false, false])
    }

    @Test func `all rows that the service deletes with an entity go, however deep they are`() async throws {
        let setup = try await Self.setup(nodesCascade: true) { service in
            for id in 1...30 as ClosedRange<Int64> {
                try service.add(
                    ["ID": .number(.init(id)), "ParentID": id == 1 ? nil : .number(.init(id - 1))], to: "Nodes")
            }
        }
        try await setup.client.delete("Nodes", .key(1))
        _ = try await setup.client.push(mode: .single)
        #expect(try setup.rows("Nodes").isEmpty)
    }

    @Test func `a row that refers to itself still does when it gets its key`() async throws {
        var options = MockODataOptions()
        options.takesKeys = true
        let setup = try await Self.setup(options: options) { _ in }
        let row = try await setup.client.create("Nodes", [:])
        let id = try #require(row["__key__"])
        try await setup.client.update("Nodes", .key(id), ["ParentID": id])
        try await setup.client.update("Nodes", .key(id), ["ID": 5])
        #expect(try setup.column("ParentID", of: "Nodes") == [5])
        for _ in 0..<2 {
            _ = try await setup.client.push(mode: .batch)
        }
        #expect(try setup.differences("Nodes").isEmpty)
        #expect(setup.service.entities(of: "Nodes").first?["ParentID"] == 5)
    }

    @Test(arguments: [PushMode.single, .batch])
    func `a deleted row goes before the entity that it refers to on the service`(_ mode: PushMode) async throws {
        var options = MockODataOptions()
        options.refusesReferring = true
        let setup = try await Self.setup(options: options) { service in
            try service.add(["ID": 1, "Name": "a"], to: "Customers")
            try service.add(["ID": 2, "Name": "b"], to: "Customers")
            try service.add(["ID": 1, "Text": "t", "CustomerID": 1], to: "Orders")
        }
        try await setup.client.update("Orders", .key(1), ["CustomerID": 2])
        try await setup.client.delete("Orders", .key(1))
        try await setup.client.delete("Customers", .key(1))
        let result = try await setup.client.push(mode: mode)
        #expect(result.outcomes.map(\.kind) == [.done, .done])
        #expect(try setup.column("ID", of: "Customers") == [2])
    }

    /// A link from the principal to one dependent, and none back: there is no URL and no link for a foreign key whose
    /// entity is created by the same change set.
    @Test func `a foreign key without links is sent after the entity that it names`() async throws {
        let metadata = """
            <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices
             m:DataServiceVersion="3.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
            <Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2009/11/edm">
            <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
            <NavigationProperty Name="Profile" Relationship="S.CP" FromRole="C" ToRole="P"/></EntityType>
            <EntityType Name="Profile"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
            <Property Name="CustomerID" Type="Edm.Int32"/></EntityType>
            <Association Name="CP"><End Role="C" Type="S.Customer" Multiplicity="0..1"/>
            <End Role="P" Type="S.Profile" Multiplicity="0..1"/><ReferentialConstraint>
            <Principal Role="C"><PropertyRef Name="ID"/></Principal>
            <Dependent Role="P"><PropertyRef Name="CustomerID"/></Dependent></ReferentialConstraint></Association>
            <EntityContainer Name="X" m:IsDefaultEntityContainer="true">
            <EntitySet Name="Customers" EntityType="S.Customer"/><EntitySet Name="Profiles" EntityType="S.Profile"/>
            <AssociationSet Name="CPs" Association="S.CP"><End Role="C" EntitySet="Customers"/>
            <End Role="P" EntitySet="Profiles"/></AssociationSet></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
            """
        var options = MockODataOptions()
        options.version = .v3
        let service = try MockODataService(metadata: Array(metadata.utf8), options: options)
        let setup = try ScenarioSetup(
            service, metadata: metadata, .inProcess, .plain,
            sets: ["Customers": EntitySetSettings(), "Profiles": EntitySetSettings()])
        let customer = try await setup.client.create("Customers", ["Name": "Ada"])
        try await setup.client.create("Profiles", ["Text": "t", "CustomerID": customer["__key__"] ?? .null])
        _ = try await setup.client.push(mode: .batch, changeSet: .perTree)
        #expect(service.entities(of: "Profiles").first?["CustomerID"] == service.entities(of: "Customers").first?["ID"])
        #expect(try setup.differences("Profiles").isEmpty)
        #expect(try setup.column("__local__", of: "Profiles") == [false])
    }
}
