import JSONText
import MockODataService
import OData
import OfflineOData
import SQLiteAccess
import TestSupport
import Testing

/// The same entities from Atom, verbose JSON, JSON light and JSON of version 4 are the same rows.
@Suite struct FourFormatsScenario {
    private static func metadata(isV4: Bool) -> String {
        let date = isV4 ? "DateTimeOffset" : "DateTime"
        let version = isV4 ? "4.0" : "1.0"
        let (edmx, edm) =
            isV4
            ? ("http://docs.oasis-open.org/odata/ns/edmx", "http://docs.oasis-open.org/odata/ns/edm")
            : ("http://schemas.microsoft.com/ado/2007/06/edmx", "http://schemas.microsoft.com/ado/2009/11/edm")
        return """
            <edmx:Edmx Version="\(version)" xmlns:edmx="\(edmx)"><edmx:DataServices>
            <Schema Namespace="N" xmlns="\(edm)"><EntityType Name="T"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
            <Property Name="Big" Type="Edm.Int64"/><Property Name="Exact" Type="Edm.Decimal" Scale="10"/>
            <Property Name="Code" Type="Edm.Guid"/><Property Name="Flag" Type="Edm.Boolean"/>
            <Property Name="Near" Type="Edm.Double"/><Property Name="At" Type="Edm.\(date)"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="Things" EntityType="N.T"/></EntityContainer></Schema>
            </edmx:DataServices></edmx:Edmx>
            """
    }

    private static func entities(isV4: Bool) throws -> [JSONObject] {
        let end = isV4 ? "Z" : ""
        let texts = [
            """
            {"ID": 1, "Text": "a < b & \\"c\\"", "Big": 9223372036854775807, "Exact": 34.950,
             "Code": "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "Flag": true, "Near": 1.5, "At": "2012-09-03T13:52:00\(end)"}
            """,
            """
            {"ID": 2, "Text": "", "Big": -1, "Exact": 0.1, "Code": null, "Flag": false, "Near": -0.25,
             "At": "1969-12-31T23:59:59\(end)"}
            """, "{\"ID\": 3, \"Text\": \"\u{E9}\u{10000}\"}",
        ]
        return try texts.map { text in try JSONValue(parsing: text).object ?? JSONObject() }
    }

    @Test(arguments: BackEnds.available, ScenarioRoute.allCases)
    func `soups hold the same properties`(backEnd: BackEnd, route: ScenarioRoute) async throws {
        let kinds: [(MockODataVersion, ODataChangeRequest.Format)] = [
            (.v2, .atom), (.v2, .verboseJSON), (.v3, .json), (.v3, .atom), (.v4, .json), (.v401, .json),
        ]
        var found: [[String]] = []
        for (version, format) in kinds {
            let isV4 = version == .v4 || version == .v401
            var options = MockODataOptions()
            options.version = version
            options.pageSize = 2
            let metadata = Self.metadata(isV4: isV4)
            let service = try MockODataService(metadata: Array(metadata.utf8), options: options)
            for entity in try Self.entities(isV4: isV4) {
                try service.add(entity, to: "Things")
            }
            let setup = try ScenarioSetup(
                service, metadata: metadata, route, backEnd, sets: ["Things": EntitySetSettings()],
                format: format)
            #expect(try await setup.client.load("Things").status == .done, "\(version) \(format)")
            found.append(
                try setup.rows("Things").map { row in
                    let members = row.object?.members.filter { !$0.name.hasPrefix("_") } ?? []
                    // A DateTime has no offset; that is the only difference that versions have.
                    let text = JSONValue.object(JSONObject(members.map { ($0.name, $0.value) })).text()
                    return text.split(separator: "00Z\"").joined(separator: "00\"")
                        .split(separator: "59Z\"").joined(separator: "59\"") + (row["__key__"]?.string ?? "")
                })
        }
        for (index, rows) in found.enumerated() {
            #expect(rows == found[0], "\(kinds[index])")
        }
        #expect(found[0].count == 3 && found[0][0].contains("34.950"))
    }
}
