import OData

extension GrowthConstruct {
    private static let typed = """
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N"><EnumType Name="E" IsFlags="true">\
        \((0..<60).map { "<Member Name=\"M\($0)\"/>" }.joined())</EnumType>\
        <ComplexType Name="C"><Property Name="A" Type="Edm.Int64"/><Property Name="B" Type="Edm.String"/></ComplexType>\
        <EntityType Name="T" OpenType="true"><Key><PropertyRef Name="A"/></Key><Property Name="A" Type="Edm.Int64"/>\
        <Property Name="Cs" Type="Collection(N.C)"/><Property Name="Es" Type="Collection(N.E)"/>\
        \((0..<400).map { "<Property Name=\"P\($0)\" Type=\"Edm.Int64\"/>" }.joined())</EntityType></Schema>
        """

    static let json: [GrowthConstruct] = [
        .init("JSON entries", .payload(.v4), "{\"value\":[", ",", "]}") { "{\"@odata.id\":\"A(\($0))\",\"A\":\($0)}" },
        .init("JSON context last", .payload(.v4), "{\"value\":[", ",", "],\"@odata.context\":\"http://s/$metadata#A\"}")
        {
            "{\"@odata.id\":\"A(\($0))\"}"
        },
        .init("JSON properties", .payload(.v4), "{", ",", "}") { "\"p\($0)\":\($0)" },
        .init("JSON types first", .payload(.v4), "{", ",", "}") { "\"p\($0)@odata.type\":\"Int64\",\"p\($0)\":\"1\"" },
        .init("JSON types last", .payload(.v4), "{", ",", "}") { "\"p\($0)\":\"1\",\"p\($0)@odata.type\":\"Int64\"" },
        .init("JSON types at the end", .payload(.v4)) { size in
            let count = size / 40
            let properties = (0..<count).map { "\"p\($0)\":\"1\"" }.joined(separator: ",")
            return "{" + properties + ","
                + (0..<count).map { "\"p\($0)@odata.type\":\"Int64\"" }.joined(separator: ",") + "}"
        },
        .init("JSON counts last", .payload(.v4), "{", ",", "}") { "\"p\($0)\":[],\"p\($0)@odata.count\":0" },
        .init("JSON next links last", .payload(.v4), "{", ",", "}") {
            "\"p\($0)\":[{\"a\":1}],\"p\($0)@odata.nextLink\":\"n\""
        },
        .init("JSON links", .payload(.v4), "{\"value\":[{", ",", "}]}") {
            "\"p\($0)@odata.navigationLink\":\"A(\($0))\""
        },
        .init("JSON links and values", .payload(.v4), "{", ",", "}") {
            "\"p\($0)\":null,\"p\($0)@odata.navigationLink\":\"A(\($0))\""
        },
        .init("JSON annotations", .payload(.v4), "{\"value\":[{", ",", "}]}") { "\"@n.t\($0)\":1,\"p@n.t\($0)\":1" },
        .init("JSON complex types first", .payload(.v4), "{\"c\":{", ",", "}}") {
            "\"p\($0)@odata.type\":\"Int64\",\"p\($0)\":\"1\""
        },
        .init("JSON complex types last", .payload(.v4), "{\"c\":{", ",", "}}") {
            "\"p\($0)\":\"1\",\"p\($0)@odata.type\":\"Int64\""
        },
        .init("JSON numbers", .payload(.v4), "{\"c\":[", ",", "]}") { "\($0).5,12345678901234567890" },
        .init("JSON texts", .payload(.v4), "{\"c\":[", ",", "]}") { "\"a\\u00e4\($0)\"" },
        .init("JSON one text", .payload(.v4), "{\"c\":\"", "", "\"}") { _ in "\\n\\u00e4a" },
        .init("JSON expanded", .payload(.v4), "{\"N@odata.count\":1,\"N\":[", ",", "]}") {
            "{\"@odata.id\":\"\($0)\",\"a\":1}"
        },
        .init("JSON shapes", .payload(.v4), "{\"c\":[", ",", "]}") { "{\"type\":\"Point\",\"coordinates\":[1,\($0)]}" },
        .init("JSON one shape", .payload(.v4), "{\"c\":{\"type\":\"LineString\",\"coordinates\":[", ",", "]}}") {
            "[1,\($0)]"
        },
        .init("JSON delta", .payload(.v4), "{\"@odata.context\":\"http://s/$metadata#A/$delta\",\"value\":[", ",", "]}")
        {
            "{\"@odata.context\":\"#A/$link\",\"source\":\"a\($0)\",\"relationship\":\"r\",\"target\":\"b\"}"
        },
        .init("JSON service", .payload(.v4), "{\"@odata.context\":\"http://s/$metadata\",\"value\":[", ",", "]}") {
            "{\"name\":\"A\($0)\",\"url\":\"A\"}"
        },
        .init("JSON details", .payload(.v4), "{\"error\":{\"code\":\"c\",\"message\":\"m\",\"details\":[", ",", "]}}") {
            "{\"code\":\"\($0)\",\"message\":\"m\"}"
        },
        .init(
            "JSON inner error", .payload(.v4), "{\"error\":{\"code\":\"c\",\"message\":\"m\",\"innererror\":{", ",",
            "}}}"
        ) {
            "\"a\($0)\":\($0)"
        },
        .init("JSON batch", .payload(.v4), "{\"responses\":[", ",", "],\"a\":1}") {
            "{\"id\":\"\($0)\",\"status\":200}"
        },
        .init("verbose entries", .payload(.v2), "{\"d\":{\"results\":[", ",", "]}}") {
            "{\"__metadata\":{\"uri\":\"A(\($0))\"},\"a\":\"/Date(\($0))/\"}"
        },
        .init("verbose links", .payload(.v2), "{\"d\":{\"results\":[", ",", "]}}") { "{\"uri\":\"A(\($0))\"}" },
        .init("verbose deferred", .payload(.v2), "{\"d\":{", ",", "}}") {
            "\"n\($0)\":{\"__deferred\":{\"uri\":\"A(\($0))\"}}"
        },
        .init("verbose associations", .payload(.v2), "{\"d\":{\"__metadata\":{\"properties\":{", ",", "}}}}") {
            "\"n\($0)\":{\"associationuri\":\"A(\($0))\"}"
        },
        .init("verbose values", .payload(.v2), "{\"d\":{\"results\":[", ",", "]}}") { "\"\($0)\"" },
        .init("light 3.0 types last", .payload(.v3), "{", ",", "}") {
            "\"p\($0)\":\"1\",\"p\($0)@odata.type\":\"Edm.Int64\""
        },
        .init("typed properties", .typedPayload(.v4, metadata: typed), "{\"value\":[", ",", "]}") {
            "{\"A\":\($0)" + (0..<40).map { ",\"P\($0 * 10)\":1" }.joined() + "}"
        },
        .init("typed complex values", .typedPayload(.v4, metadata: typed), "{\"Cs\":[", ",", "]}") {
            "{\"A\":\($0),\"B\":\"x\"}"
        },
        .init("typed enumerations", .typedPayload(.v4, metadata: typed), "{\"Es\":[", ",", "]}") {
            "\"M\($0 % 60),M\($0 * 7 % 60),M59\""
        },
        .init("typed one enumeration", .typedPayload(.v4, metadata: typed), "{\"Es\":[\"M1", "", "\"]}") {
            ",M\($0 % 60)"
        },
        .init("dynamic properties", .typedPayload(.v4, metadata: typed), "{", ",", "}") { "\"p\($0)\":\($0)" },
    ]

    private static let feed =
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:d=\"http://schemas.microsoft.com/ado/2007/08/dataservices\""
        + " xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\" xmlns:gml=\"http://www.opengis.net/gml\""
        + " xmlns:at=\"http://purl.org/atompub/tombstones/1.0\">"
    private static let entry = feed + "<entry><content type=\"application/xml\"><m:properties>"
    private static let endOfEntry = "</m:properties></content></entry></feed>"

    static let atom: [GrowthConstruct] = [
        .init("Atom entries", .payload(.v2), feed, "", "</feed>") {
            "<entry><id>A(\($0))</id><content><m:properties><d:A m:type=\"Edm.Int32\">\($0)</d:A><d:B>x</d:B></m:properties></content></entry>"
        },
        .init("Atom names", .payload(.v2), feed, "", "</feed>") {
            "<entry><content><m:properties><d:A\($0)>x</d:A\($0)></m:properties></content></entry>"
        },
        .init("Atom 1000 properties", .payload(.v2), feed, "", "</feed>") { _ in
            "<entry><content><m:properties>" + (0..<1_000).map { "<d:A\($0)>x</d:A\($0)>" }.joined()
                + "</m:properties></content></entry>"
        },
        .init("Atom links", .payload(.v2), feed + "<entry>", "", "</entry></feed>") {
            "<link rel=\"http://schemas.microsoft.com/ado/2007/08/dataservices/related/N\($0)\" href=\"A(\($0))\"/>"
        },
        .init("Atom inline", .payload(.v2), feed + "<entry>", "", "</entry></feed>") {
            "<link rel=\"http://schemas.microsoft.com/ado/2007/08/dataservices/related/N\($0)\" href=\"A\"><m:inline><entry><id>\($0)</id></entry></m:inline></link>"
        },
        .init("Atom text", .payload(.v2), entry + "<d:A>", "", "</d:A>" + endOfEntry) { _ in
            "a&amp;<![CDATA[b]]><!-- c -->"
        },
        .init(
            "Atom collection", .payload(.v3), entry + "<d:A m:type=\"Collection(Edm.Int32)\">", "",
            "</d:A>" + endOfEntry
        ) {
            "<d:element>\($0)</d:element>"
        },
        .init("Atom elements without a type", .payload(.v3), entry + "<d:A>", "", "</d:A>" + endOfEntry) {
            "<d:element>\($0)</d:element>"
        },
        .init(
            "Atom complex values", .payload(.v3), entry + "<d:A m:type=\"Collection(N.C)\">", "", "</d:A>" + endOfEntry
        ) {
            "<d:element><d:A>\($0)</d:A><d:B><d:C>1</d:C></d:B></d:element>"
        },
        .init(
            "Atom shape", .payload(.v3),
            entry + "<d:A m:type=\"Edm.GeographyLineString\"><gml:LineString><gml:posList>", " ",
            "</gml:posList></gml:LineString></d:A>" + endOfEntry
        ) {
            "1 \($0)"
        },
        .init(
            "Atom points", .payload(.v3), entry + "<d:A m:type=\"Edm.GeographyLineString\"><gml:LineString>", "",
            "</gml:LineString></d:A>" + endOfEntry
        ) {
            "<gml:pos>1 \($0)</gml:pos>"
        },
        .init("Atom tombstones", .payload(.v2), feed, "", "</feed>") { "<at:deleted-entry ref=\"A(\($0))\"/>" },
        .init("Atom attributes", .payload(.v2), feed, "", "</feed>") { "<entry a=\"1\" b=\"2\" c=\"3\" d=\"\($0)\"/>" },
        .init("Atom bases", .payload(.v2), feed, "", "</feed>") {
            "<entry xml:base=\"http://s/\($0)/\"><id>a</id></entry>"
        },
        .init(
            "XML links", .payload(.v2), "<links xmlns=\"http://schemas.microsoft.com/ado/2007/08/dataservices\">", "",
            "</links>"
        ) {
            "<uri>http://s/A(\($0))</uri>"
        },
        .init(
            "XML result", .payload(.v3), "<R xmlns=\"http://schemas.microsoft.com/ado/2007/08/dataservices\">", "",
            "</R>"
        ) {
            "<element>\($0)</element>"
        },
        .init(
            "XML service", .payload(.v2),
            "<service xmlns=\"http://www.w3.org/2007/app\" xmlns:a=\"http://www.w3.org/2005/Atom\"><workspace>", "",
            "</workspace></service>"
        ) {
            "<collection href=\"A\($0)\"><a:title>A\($0)</a:title></collection>"
        },
        .init(
            "XML inner error", .payload(.v2),
            "<m:error xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\"><m:innererror>", "",
            "</m:innererror></m:error>"
        ) {
            "<m:a\($0)>x</m:a\($0)><m:b>x</m:b>"
        },
    ]
}
