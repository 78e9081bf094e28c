import JSONText
import OData
import Soups
import Testing

/// Keys with several parts, in URLs and as canonical text.
@Suite struct KeyTests {
    private static let model = """
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N"><EntityType Name="T"><Key>\
        <PropertyRef Name="A"/><PropertyRef Name="B"/></Key><Property Name="A" Type="Edm.Int32"/>\
        <Property Name="B" Type="Edm.String"/></EntityType></Schema>
        """

    @Test(arguments: [nil, "N.T"])
    func `a part that is given twice is refused`(type: String?) throws {
        let model = try type.map { _ in try EdmModel(csdl: Array(Self.model.utf8)) }
        let key = JSONValue.object(JSONObject([("A", 1), ("A", 2)]))
        let change = ODataChangeRequest(.delete, entitySet: "Items", key: key, model: model, entityType: type)
        let writes: [() throws(Fault) -> String] = [change.url, ODataKey(key, model: model, entityType: type).text]
        for write in writes {
            let fault = #expect(throws: Fault.self) { try write() }
            #expect(fault?.code == .invalidArguments)
            #expect(fault?.message.contains("twice") == true)
        }
    }
}
