import JSONText
import Soups
import Testing

@testable import OData
@testable import OfflineOData

/// Rows that are written without a tree of their values.
@Suite struct ArrivedRowTests {
    private static let csdl = """
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <ComplexType Name="Address"><Property Name="City" Type="Edm.String"/></ComplexType>
          <ComplexType Name="FarAddress" BaseType="N.Address"><Property Name="Country" Type="Edm.String"/></ComplexType>
          <EnumType Name="Colour"><Member Name="Red" Value="0"/><Member Name="Blue" Value="1"/></EnumType>
          <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/><Property Name="Note" Type="Edm.String"/>
            <Property Name="Price" Type="Edm.Decimal"/><Property Name="Weight" Type="Edm.Double"/>
            <Property Name="Total" Type="Edm.Int64"/><Property Name="Level" Type="Edm.Int16"/>
            <Property Name="Active" Type="Edm.Boolean"/><Property Name="Code" Type="Edm.Guid"/>
            <Property Name="Data" Type="Edm.Binary"/><Property Name="Changed" Type="Edm.DateTimeOffset"/>
            <Property Name="Home" Type="N.Address"/><Property Name="Tags" Type="Collection(Edm.String)"/>
            <Property Name="Homes" Type="Collection(N.Address)"/><Property Name="Colour" Type="N.Colour"/>
            <Property Name="Point" Type="Edm.GeographyPoint"/>
          </EntityType>
          <EntityType Name="BigItem" BaseType="N.Item"><Property Name="Size" Type="Edm.Int32"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item"/></EntityContainer>
        </Schema>
        """

    private func map(_ key: [String]?, _ settings: EntitySetSettings = EntitySetSettings()) throws -> EntitySetMap {
        guard let key else {
            return try EntitySetMap(
                model: try EdmModel(csdl: Array(Self.csdl.utf8)), version: .v4, sets: ["Items": settings])
        }
        return try EntitySetMap(set: "Items", key: key)
    }

    /// The texts of the rows of a feed without a tree; nil for an entity that needs one. Each is compared with the text
    /// of the row that is made with a tree.
    private func rows(_ body: String, _ map: EntitySetMap) throws -> [String?] {
        let set = try #require(map.find("Items"))
        let options = PayloadOptions(
            version: .v4, baseURL: "https://host/svc/", model: map.model, entityType: set.entityType)
        let reading = EntityReading(map: map, serviceRoot: "https://host/svc/")
        var writer = ArrivedRowWriter(reading, set)
        guard case .feed(let feed) = try ODataPayload(reading: Array(body.utf8), options: options) else {
            Issue.record("not a feed")
            return []
        }
        return try feed.entries.map { entry in
            let row = writer.row(of: entry)
            guard let row else { return nil }
            let entity = try reading.entity(entry, of: set)
            let expected = RowForm(set, version: map.version).row(of: entity, over: nil)
            #expect(String(decoding: row.text, as: UTF8.self) == JSONValue.object(expected).text())
            #expect(row.key == entity.key)
            #expect(row.dropped == entity.dropped)
            let again = RowForm(set, version: map.version).row(of: try row.entity(), over: nil)
            #expect(JSONValue.object(again).text() == JSONValue.object(expected).text())
            return String(decoding: row.text, as: UTF8.self)
        }
    }

    private func feed(_ entities: String...) -> String {
        ##"{"@odata.context":"https://host/svc/$metadata#Items","value":["## + entities.joined(separator: ",") + "]}"
    }

    private static let flags =
        #""__local__":false,"__locally_created__":false,"__locally_updated__":false,"__locally_deleted__":false"#

    @Test func `an entity is written with its key, flags and ETag`() throws {
        let found = try rows(feed(#"{"@odata.etag":"W/\"1\"","ID":7,"Price":2.50}"#), map(nil))
        let end = #","__odata__":{"etag":"W/\"1\""}}"#
        #expect(found == [#"{"ID":7,"Price":2.50,"__key__":"7","# + Self.flags + end])
    }

    @Test(arguments: [
        #"{"ID":1,"Name":null,"Note":"a\"b\\c\n\u0001 é 𝄞 and a text of more than sixteen bytes"}"#,
        #"{"ID":-2,"Price":1e-7,"Weight":"INF","Total":9007199254740993,"Level":-3,"Active":true}"#,
        #"{"ID":3,"Code":"01234567-89AB-CDEF-0123-456789ABCDEF","Data":"AQI","Changed":"2026-01-02T03:04:05+02:00"}"#,
        #"{"ID":4,"Home":{"City":"Oslo"},"Tags":["a","b\"c"],"Homes":[{"City":null}],"Colour":"Blue"}"#,
        ##"{"ID":5,"Home":{"@odata.type":"#N.FarAddress","City":"Oslo","Country":"NO"}}"##,
        #"{"ID":6,"Point":{"type":"Point","coordinates":[10.5,59.9]}}"#,
        ##"{"@odata.type":"#N.BigItem","ID":7,"Size":9}"##,
        #"{"@odata.id":"Items(8)","@odata.editLink":"Others(8)","ID":8}"#,
        #"{"@odata.id":"https://host/svc/Items(9)","ID":9,"Name":""}"#,
        #"{"Name":"the key comes last","ID":10}"#,
    ])
    func `a row is written as with a tree`(_ entity: String) throws {
        let found = try rows(feed(entity), map(nil))
        #expect(found.allSatisfy { $0 != nil })
    }

    @Test(arguments: [
        #"{"ID":1,"Lines@odata.context":"x","Lines":[]}"#, #"{"@N.Term":5,"ID":1}"#,
        #"{"error":{"code":"x","message":"y"}}"#, #"{"Name":"no key"}"#,
        ##"{"Count@odata.type":"#Int32","Count":5,"ID":1}"##,
    ])
    func `an entity that needs more than its properties is not written`(_ entity: String) throws {
        #expect(try rows(feed(entity), map(["ID"])) == [nil])
    }

    @Test func `members of rows are left out and counted`() throws {
        var settings = EntitySetSettings()
        settings.localOnly = ["Note"]
        let found = try rows(feed(#"{"ID":1,"Name":"a","Note":"theirs"}"#), map(nil, settings))
        #expect(found == [#"{"ID":1,"Name":"a","__key__":"1","# + Self.flags + "}"])
        let forbidden = try rows(feed(#"{"__key__":"9","_soupEntryId":5,"ID":1}"#), map(["ID"]))
        #expect(forbidden == [#"{"ID":1,"__key__":"1","# + Self.flags + "}"])
    }

    @Test func `keys of several properties, and without a model`() throws {
        let found = try rows(feed(#"{"B":"x'y","A":{"Id":1e20}}"#, #"{"A":{"Id":true},"B":""}"#), map(["A/Id", "B"]))
        #expect(found.count == 2 && found.allSatisfy { $0 != nil })
    }

    @Test func `names of one page are not taken for those of another`() throws {
        let many = (0..<1_200).map { #"{"ID":\#($0),"Field\#($0)":"\#($0)","Other\#($0 / 2)":null}"# }
        let body = #"{"value":["# + many.joined(separator: ",") + "]}"
        #expect(try rows(body, map(["ID"])).count == 1_200)
    }
}
