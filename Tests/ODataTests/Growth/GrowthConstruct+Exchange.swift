import OData

/// Bodies that a client writes, batches, and metadata in JSON.
extension GrowthConstruct {
    private static let part = "--b\r\nContent-Type: application/http\r\n\r\n"
    private static let end = "\r\n--b--"
    private static let change = "--c\r\nContent-Type: application/http\r\n\r\nPOST A HTTP/1.1\r\n\r\n{}\r\n"
    private static let set = "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"

    private static let typed = """
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N"><EntityType Name="T"><Key>\
        <PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32"/><Property Name="S" Type="Edm.String"/>\
        <Property Name="C" Type="Collection(Edm.Int64)"/><Property Name="D" Type="Edm.Binary"/>\
        <Property Name="G" Type="Edm.GeographyLineString"/></EntityType></Schema>
        """
    private static let document = "{\"$Version\":\"4.01\",\"N\":{"
    private static let jsonType = "\"T\":{\"$Kind\":\"EntityType\",\"$Key\":[\"K\"],\"K\":{}"

    static let exchange = batches + jsonBatches + writing + references + jsonMetadata

    private static let batches: [GrowthConstruct] = [
        .init("batch of answers", .batch(.multipart), "", "\r\n", end) { _ in part + "HTTP/1.1 200 OK\r\n\r\n{}" },
        .init("batch of requests", .batch(.multipart), "", "\r\n", end) { part + "GET A(\($0)) HTTP/1.1\r\n\r\n" },
        .init("change set", .batch(.multipart), set, "", "--c--\r\n" + end) { _ in change },
        .init("change sets", .batch(.multipart), "", "", end) { _ in set + change + "--c--\r\n" },
        .init("headers of a message", .batch(.multipart), part + "HTTP/1.1 200 OK", "", "\r\n\r\n" + end) {
            "\r\nX\($0): y"
        },
        .init("lines of a body", .batch(.multipart), part + "HTTP/1.1 200 OK\r\n\r\n", "", end) { _ in "--\r\n--bc\n" },
        .init("preamble", .batch(.multipart), "", "", "\r\n" + part + "HTTP/1.1 200 OK" + end) { _ in "--x\r\n\n" },
        .init("epilogue", .batch(.multipart), part + "HTTP/1.1 200 OK" + end + "\r\n", "", "") { _ in "--b\r\n" },
        .init("batch, written", .batchWriting(.multipart), "", "\r\n", end) { part + "GET A(\($0)) HTTP/1.1\r\n\r\n" },
        .init("change set, written", .batchWriting(.multipart), set, "", "--c--\r\n" + end) { _ in change },
        .init("bodies like delimiters, written", .batchWriting(.multipart), part + "POST A HTTP/1.1\r\n\r\n", "", end) {
            "--batch_1_\($0)\r\n"
        },
        .init("one line like delimiters, written", .batchWriting(.multipart), part + "POST A HTTP/1.1\r\n\r\n", "", end)
        {
            _ in "--batch_1_"
        },
        .init("requests in one group", .grouping, "", "\r\n", end) { _ in part + "POST A HTTP/1.1\r\n\r\n{}" },
    ]

    private static let jsonBatches: [GrowthConstruct] = [
        .init("JSON batch of answers", .batch(.json), "{\"responses\":[", ",", "]}") {
            "{\"id\":\"\($0)\",\"status\":200}"
        },
        .init("JSON batch of one group", .batch(.json), "{\"requests\":[", ",", "]}") {
            "{\"id\":\"\($0)\",\"atomicityGroup\":\"g\",\"method\":\"POST\",\"url\":\"A\",\"body\":{\"B\":1}}"
        },
        .init("JSON batch of groups", .batch(.json), "{\"responses\":[", ",", "]}") {
            "{\"id\":\"\($0)\",\"atomicityGroup\":\"g\($0)\",\"status\":200}"
        },
        .init("dependencies", .batch(.json)) { size in
            let count = size / 60
            let before = (0..<count).map { "{\"id\":\"\($0)\",\"method\":\"GET\",\"url\":\"A\"}" }
            let ids = (0..<count).map { "\"\($0)\"" }.joined(separator: ",")
            let last = "{\"id\":\"x\",\"dependsOn\":[\(ids)],\"method\":\"GET\",\"url\":\"A\"}"
            return "{\"requests\":[" + (before + [last]).joined(separator: ",") + "]}"
        },
        .init(
            "headers in JSON", .batch(.json), "{\"responses\":[{\"id\":\"1\",\"status\":200,\"headers\":{", ",", "}}]}"
        ) {
            "\"X\($0)\":\"y\""
        },
        .init("JSON batch, written", .batchWriting(.json), "{\"requests\":[", ",", "]}") {
            "{\"id\":\"\($0)\",\"atomicityGroup\":\"g\($0)\",\"method\":\"POST\",\"url\":\"$\($0 - 1)/A\",\"body\":{\"B\":1}}"
        },
    ]

    private static let writing: [GrowthConstruct] = [
        .init("entry with types", .writing(.v4, .json, metadata: open), "{", ",", "}") { "\"m\($0)\":\($0)" },
        .init("entry with types as Atom", .writing(.v4, .atom, metadata: open), "{", ",", "}") { "\"m\($0)\":\($0)" },
        .init("collection, written", .writing(.v3, .verboseJSON, metadata: typed), "{\"C\":[", ",", "]}") { "\($0)" },
        .init("collection as Atom, written", .writing(.v4, .atom, metadata: typed), "{\"C\":[", ",", "]}") { "\($0)" },
        .init("text, written as Atom", .writing(.v4, .atom, metadata: typed), "{\"S\":\"", "", "\"}") { _ in "a<&\\r" },
        .init("binary, written", .writing(.v4, .json, metadata: typed), "{\"D\":\"", "", "\"}") { _ in "AAAA" },
        .init("line, written", .writing(.v4, .json, metadata: typed), "{\"G\":\"SRID=0;LineString(", ",", ")\"}") {
            "\($0) 1"
        },
        .init(
            "line as Atom, written", .writing(.v4, .atom, metadata: typed), "{\"G\":\"SRID=0;LineString(", ",", ")\"}"
        ) {
            "\($0) 1"
        },
    ]

    private static let references: [GrowthConstruct] = [
        .init("answers to requests", .matching(.multipart), "", "\r\n", end) { part + "GET A(\($0)) HTTP/1.1\r\n\r\n" },
        .init("answers to a change set", .matching(.multipart), set, "", "--c--\r\n" + end) { _ in change },
        .init("answers to requests in JSON", .matching(.json), "{\"requests\":[", ",", "]}") {
            "{\"id\":\"\($0)\",\"method\":\"GET\",\"url\":\"A\"}"
        },
        .init("key of many parts", .key(isDeclared: false), "{", ",", "}") { "\"K\($0)\":\($0)" },
        .init("key of many parts in a URL", .keyURL(isDeclared: false), "{", ",", "}") { "\"K\($0)\":\($0)" },
        .init("declared key of many parts", .key(isDeclared: true), "{", ",", "}") { "\"K\($0)\":\($0)" },
        .init("declared key of many parts in a URL", .keyURL(isDeclared: true), "{", ",", "}") { "\"K\($0)\":\($0)" },
        .init("key of one long text", .key(isDeclared: false), "\"", "", "\"") { _ in "a'/" },
        .init("key of one long text in a URL", .keyURL(isDeclared: false), "\"", "", "\"") { _ in "a'/" },
        .init("link to many", .linking(.v4, .json, isOne: true), "[", ",", "]") { "\"A(\($0))\"" },
        .init("link to many as Atom", .linking(.v3, .atom, isOne: true), "[", ",", "]") { "\"A(\($0))\"" },
        .init("links", .linking(.v401, .json, isOne: false), "[", ",", "]") { "\"A(\($0))\"" },
        .init("links as Atom", .linking(.v2, .atom, isOne: false), "[", ",", "]") { "\"A(\($0))\"" },
        .init("raw text", .answer(type: "text/plain"), "", "", "") { _ in "1 a\u{E9}" },
        .init("raw text in Latin-1", .answer(type: "text/plain;charset=iso-8859-1"), "", "", "") { _ in "ab" },
        .init("a count between blanks", .answer(type: "text/plain"), "", "", "7 \n") { _ in "\r\n\t " },
    ]

    private static let jsonMetadata: [GrowthConstruct] = [
        .init("types in JSON", .metadata, document, ",", "}}") {
            "\"T\($0)\":{\"$Kind\":\"EntityType\",\"$Key\":[\"K\"],\"K\":{}}"
        },
        .init("properties in JSON", .metadata, document + jsonType + ",", ",", "}}}") { "\"P\($0)\":{}" },
        .init("enum members in JSON", .metadata, document + "\"E\":{\"$Kind\":\"EnumType\",", ",", "}}}") {
            "\"M\($0)\":\($0),\"M\($0)@x.y\":1"
        },
        .init("annotations in JSON", .metadata, document + jsonType + ",", ",", "}}}") { "\"@x.T\($0)\":{\"a\":[1]}" },
        .init(
            "entity sets in JSON", .metadata, document + jsonType + "},\"C\":{\"$Kind\":\"EntityContainer\",", ",",
            "}}}"
        ) {
            "\"S\($0)\":{\"$Collection\":true,\"$Type\":\"N.T\"}"
        },
        .init("overloads in JSON", .metadata, document + "\"F\":[", ",", "]}}") {
            "{\"$Kind\":\"Function\",\"$Parameter\":[{\"$Name\":\"p\($0)\"}],\"$ReturnType\":{}}"
        },
        .init("schemas in JSON", .metadata, "{\"$Version\":\"4.01\",", ",", "}") { "\"N\($0)\":{}" },
        .init("constraints in JSON", .metadata) { size in
            let count = size / 30
            let parts = (0..<count).map { "\"P\($0)\":\"K\"" }.joined(separator: ",")
            let properties = (0..<count).map { "\"P\($0)\":{}" }.joined(separator: ",")
            let navigation = "\"N\":{\"$Kind\":\"NavigationProperty\",\"$Type\":\"N.T\",\"$ReferentialConstraint\":{"
            return [document, jsonType, ",", properties, ",", navigation, parts, "}}}}}"].joined()
        },
    ]
}
