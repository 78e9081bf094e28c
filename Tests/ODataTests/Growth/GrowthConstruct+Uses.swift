import OData

/// What is done with parsed options, entries and changes.
extension GrowthConstruct {
    static let open = """
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N"><EntityType Name="T" OpenType="true"><Key>\
        <PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32"/><NavigationProperty Name="N" Type="N.T"/>\
        </EntityType><EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.T"/></EntityContainer></Schema>
        """

    static let uses: [GrowthConstruct] = [
        .init("filter, printed with its options", .query(.v4), "Items?$filter=A eq 0", "", "") { " or A eq '\($0)'" },
        .init("orderby, printed", .query(.v4), "Items?$orderby=", ",", "") { "A\($0) desc" },
        .init("select, printed", .query(.v4), "Items?$select=", ",", "") { "A\($0)/B" },
        .init("expand, printed", .query(.v4), "Items?$expand=", ",", "") { "A\($0)($filter=B eq \($0);$top=1)" },
        .init("search, printed", .query(.v4), "Items?$search=", " ", "") { "w\($0)" },
        .init("apply, printed", .query(.v4), "Items?$apply=", "/", "") { "filter(A eq \($0))" },
        .init("aliases, printed", .query(.v4), "Items?", "&", "") { "@p\($0)=1" },
        .init("filter, checked", .check(.v4, metadata: open), "Items?$filter=A eq 0", "", "") { " or N/A\($0) eq 1" },
        .init("computed names, checked", .check(.v401, metadata: open), "Items?$compute=", ",", "") {
            "C\($0) add 1 as D\($0)"
        },
        .init("names computed and selected, checked", .check(.v401, metadata: open)) { size in
            let names = 0..<size / 24
            return "Items?$compute=" + names.map { "ID add 1 as C\($0)" }.joined(separator: ",")
                + "&$select=" + names.map { "C\($0)" }.joined(separator: ",")
        },
        .init("expand, checked", .check(.v4, metadata: open), "Items?$expand=", ",", "") { "N/N.T/A\($0)" },
        .init("groupby, checked", .check(.v4, metadata: open), "Items?$apply=groupby((", ",", "))") { "N/A\($0)" },

        .init("entities in order", .run("$orderby=A desc,B"), "[", ",", "]") { "{\"A\":\($0 % 7),\"B\":\"\($0)\"}" },
        .init("entities of a filter", .run("$filter=A gt 3&$count=true&$top=5"), "[", ",", "]") { "{\"A\":\($0)}" },
        .init("entities of a search", .run("$search=a NOT zz"), "[", ",", "]") { "{\"A\":\"a\($0) b c\"}" },
        .init("entities in groups", .run("$apply=groupby((A),aggregate(B with sum as S))"), "[", ",", "]") {
            "{\"A\":\($0),\"B\":1}"
        },
        .init("different values", .run("$apply=aggregate(A with countdistinct as S)"), "[", ",", "]") {
            "{\"A\":\($0)}"
        },
        .init("computed values", .run("$compute=A add 1 as B&$select=B"), "[", ",", "]") { "{\"A\":\($0)}" },
        .init("expanded entities", .run("$expand=N($orderby=A;$select=A)"), "[", ",", "]") {
            "{\"A\":1,\"N\":[{\"A\":\($0)},{\"A\":2}]}"
        },
        .init("a wide entity with selected members", .run("$select=m1,m2"), "[{", ",", "}]") { "\"m\($0)\":\($0)" },

        .init("change", .change(.v4, .json), "{", ",", "}") { "\"m\($0)\":\($0)" },
        .init("change as Atom", .change(.v2, .atom), "{", ",", "}") { "\"m\($0)\":\($0)" },
        .init("entry as a dictionary", .decode, "{", ",", "}") { "\"m\($0)\":\($0)" },
    ]
}
