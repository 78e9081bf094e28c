import OData

extension GrowthConstruct {
    private static let schema = "<Schema xmlns=\"http://docs.oasis-open.org/odata/ns/edm\" Namespace=\"N\">"
    private static let old = "<Schema xmlns=\"http://schemas.microsoft.com/ado/2009/11/edm\" Namespace=\"N\">"
    private static let end = "</Schema>"
    private static let key = "<Key><PropertyRef Name=\"K\"/></Key><Property Name=\"K\" Type=\"Edm.Int32\"/>"
    private static let type = "<EntityType Name=\"T\">" + key + "</EntityType>"
    private static func property(_ name: String) -> String { "<Property Name=\"\(name)\" Type=\"Edm.Int32\"/>" }

    static let metadata: [GrowthConstruct] = [
        .init("types", .metadata, schema, "", end) { "<EntityType Name=\"T\($0)\">" + key + "</EntityType>" },
        .init("properties", .metadata, schema + "<EntityType Name=\"T\">" + key, "", "</EntityType>" + end) {
            property("P\($0)")
        },
        .init("inherited properties", .metadata) { size in
            let count = size / 120
            var text = schema + "<EntityType Name=\"B\">" + key + (0..<count).map { property("P\($0)") }.joined()
            text += "</EntityType>"
            for index in 0..<count {
                text += "<EntityType Name=\"T\(index)\" BaseType=\"N.B\">" + property("Q") + "</EntityType>"
            }
            return text + end
        },
        .init("chains of base types", .metadata, schema + type, "", end) { index in
            let base = index % 60 == 0 ? "T" : "D\(index - 1)"
            return "<EntityType Name=\"D\(index)\" BaseType=\"N.\(base)\">" + property("P\(index)") + "</EntityType>"
        },
        .init("enum members", .metadata, schema + "<EnumType Name=\"E\">", "", "</EnumType>" + end) {
            "<Member Name=\"M\($0)\" Value=\"\($0)\"/>"
        },
        .init("key parts", .metadata) { size in
            let count = size / 70
            let parts = (0..<count).map { "<PropertyRef Name=\"P\($0)\"/>" }.joined()
            return schema + "<EntityType Name=\"T\"><Key>" + parts + "</Key>"
                + (0..<count).map { property("P\($0)") }.joined()
                + "</EntityType>" + end
        },
        .init("constraints", .metadata) { size in
            let count = size / 110
            let parts = (0..<count).map { "<ReferentialConstraint Property=\"P\($0)\" ReferencedProperty=\"K\"/>" }
                .joined()
            return schema + "<EntityType Name=\"T\">" + key + (0..<count).map { property("P\($0)") }.joined()
                + "<NavigationProperty Name=\"N\" Type=\"N.T\">" + parts + "</NavigationProperty></EntityType>" + end
        },
        .init("navigation properties", .metadata, schema + "<EntityType Name=\"T\">" + key, "", "</EntityType>" + end) {
            "<NavigationProperty Name=\"N\($0)\" Type=\"N.T\" Partner=\"N\($0)\"/>"
        },
        .init("functions", .metadata, schema, "", end) {
            "<Function Name=\"F\($0)\"><ReturnType Type=\"Edm.Int32\"/></Function>"
        },
        .init("parameters", .metadata, schema + "<Action Name=\"A\">", "", "</Action>" + end) {
            "<Parameter Name=\"p\($0)\" Type=\"Edm.Int32\"/>"
        },
        .init("function imports", .metadata) { size in
            let count = size / 130
            let functions = (0..<count).map { "<Function Name=\"F\($0)\"><ReturnType Type=\"Edm.Int32\"/></Function>" }
                .joined()
            let imports = (0..<count).map { "<FunctionImport Name=\"I\($0)\" Function=\"N.F\($0)\"/>" }.joined()
            return schema + functions + "<EntityContainer Name=\"C\">" + imports + "</EntityContainer>" + end
        },
        .init(
            "function imports of version 3.0", .metadata, old + "<EntityContainer Name=\"C\">", "",
            "</EntityContainer>" + end
        ) {
            "<FunctionImport Name=\"I\($0)\" ReturnType=\"Edm.Int32\"><Parameter Name=\"p\" Type=\"Edm.Int32\"/></FunctionImport>"
        },
        .init("entity sets", .metadata, schema + type + "<EntityContainer Name=\"C\">", "", "</EntityContainer>" + end)
        {
            "<EntitySet Name=\"S\($0)\" EntityType=\"N.T\"/>"
        },
        .init(
            "bindings", .metadata,
            schema + type + "<EntityContainer Name=\"C\"><EntitySet Name=\"S\" EntityType=\"N.T\">", "",
            "</EntitySet></EntityContainer>" + end
        ) {
            "<NavigationPropertyBinding Path=\"N\($0)\" Target=\"S\"/>"
        },
        .init("singletons", .metadata, schema + type + "<EntityContainer Name=\"C\">", "", "</EntityContainer>" + end) {
            "<Singleton Name=\"S\($0)\" Type=\"N.T\"/>"
        },
        .init("containers", .metadata, schema + "<EntityContainer Name=\"C\"/>", "", end) {
            "<EntityContainer Name=\"C\($0)\" Extends=\"N.C\($0 == 0 ? "" : "\($0 - 1)")\"/>"
        },
        .init("associations", .metadata, old + type, "", end) {
            "<Association Name=\"R\($0)\"><End Role=\"A\" Type=\"N.T\" Multiplicity=\"1\"/><End Role=\"B\" Type=\"N.T\" Multiplicity=\"*\"/></Association>"
        },
        .init("association sets", .metadata) { size in
            let count = size / 420
            func ends(_ index: Int) -> String {
                "<End Role=\"A\" Type=\"N.T\(index)\" Multiplicity=\"1\"/><End Role=\"B\" Type=\"N.T\(index)\" Multiplicity=\"*\"/>"
            }
            var text = old
            var container = ""
            for index in 0..<count {
                text +=
                    "<EntityType Name=\"T\(index)\">" + key
                    + "<NavigationProperty Name=\"N\" Relationship=\"N.R\(index)\" FromRole=\"A\" ToRole=\"B\"/></EntityType>"
                text += "<Association Name=\"R\(index)\">" + ends(index) + "</Association>"
                container +=
                    "<EntitySet Name=\"S\(index)\" EntityType=\"N.T\(index)\"/><AssociationSet Name=\"X\(index)\" Association=\"N.R\(index)\">"
                    + "<End Role=\"A\" EntitySet=\"S\(index)\"/><End Role=\"B\" EntitySet=\"S\(index)\"/></AssociationSet>"
            }
            return text + "<EntityContainer Name=\"C\">" + container + "</EntityContainer>" + end
        },
        .init("annotations", .metadata, schema + "<EntityType Name=\"T\">" + key, "", "</EntityType>" + end) {
            "<Annotation Term=\"x.T\($0)\" String=\"a\"/>"
        },
        .init("annotation targets", .metadata, schema, "", end) {
            "<Annotations Target=\"N.T\($0)\"><Annotation Term=\"x.T\" String=\"a\"/></Annotations>"
        },
        .init(
            "records", .metadata, schema + "<Annotations Target=\"N.T\"><Annotation Term=\"x.T\"><Collection>", "",
            "</Collection></Annotation></Annotations>" + end
        ) {
            "<Record><PropertyValue Property=\"p\($0)\" String=\"a\"/></Record>"
        },
        .init(
            "types in another encoding", .metadata, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + schema, "", end
        ) {
            "<ComplexType Name=\"C\($0)\"/>"
        },
        .init("type definitions", .metadata, schema, "", end) {
            "<TypeDefinition Name=\"D\($0)\" UnderlyingType=\"Edm.Int32\"/>"
        },
        .init(
            "schemas", .metadata,
            "<edmx:Edmx Version=\"4.0\" xmlns:edmx=\"http://docs.oasis-open.org/odata/ns/edmx\"><edmx:DataServices>",
            "", "</edmx:DataServices></edmx:Edmx>"
        ) {
            "<Schema xmlns=\"http://docs.oasis-open.org/odata/ns/edm\" Namespace=\"N\($0)\" Alias=\"A\($0)\"/>"
        },
        .init("texts between", .metadata, schema + type, "", end) { _ in "<!-- a --> a &amp; b " },
    ]
}
