import JSONText
import OData
import Soups
import Testing

@Suite struct TypeCheckTests {
    private static let model = EdmModel(schemas: [
        EdmSchema(
            namespace: "Demo", alias: "D",
            entityTypes: [
                EdmStructuredType(
                    kind: .entity, name: "Item", isAbstract: true, key: [.init("ID")],
                    properties: [EdmProperty("ID", EdmTypeReference("Edm.Int32"))]),
                EdmStructuredType(
                    kind: .entity, name: "Product", baseType: "D.Item",
                    properties: [
                        EdmProperty("Name", EdmTypeReference("Edm.String")),
                        EdmProperty("Price", EdmTypeReference("Edm.Decimal")),
                        EdmProperty("Rating", EdmTypeReference("Edm.Int32")),
                        EdmProperty("Flag", EdmTypeReference("Edm.Boolean")),
                        EdmProperty("Tags", EdmTypeReference("Edm.String", isCollection: true)),
                        EdmProperty("Addr", EdmTypeReference("D.Place")),
                        EdmProperty("When", EdmTypeReference("Edm.DateTimeOffset")),
                        EdmProperty("Style", EdmTypeReference("Demo.Colour")),
                        EdmProperty("Weight", EdmTypeReference("Demo.Kilograms")),
                    ],
                    navigation: [EdmNavigationProperty("Parts", EdmTypeReference("Demo.Product", isCollection: true))]),
                EdmStructuredType(kind: .entity, name: "Open", isOpen: true),
            ],
            complexTypes: [
                EdmStructuredType(
                    kind: .complex, name: "Place", properties: [EdmProperty("City", EdmTypeReference("Edm.String"))])
            ],
            enumTypes: [
                EdmEnumType(
                    name: "Colour", isFlags: true, members: [.init("Red", 1), .init("Blue", 2), .init("Purple", 3)])
            ],
            typeDefinitions: [EdmTypeDefinition(name: "Kilograms", underlying: EdmTypeReference("Edm.Double"))],
            containers: [EdmContainer(name: "C", entitySets: [.init("Products", entityType: "D.Product")])])
    ])

    private func check(_ filter: String, type: String = "Demo.Product") throws -> ODataEvaluator {
        try ODataEvaluator(
            filter: ODataExpression(parsing: filter, version: .v401), model: Self.model, entityType: type)
    }

    @Test(arguments: [
        "ID eq 1 and Name eq 'a' and Addr/City eq 'b'",
        "Parts/any(p:p/Name eq Name and p/Parts/all(q:q/Rating gt p/Rating))", "Demo.Product/Name eq 'x'",
        "Rating eq 4.0 and Price gt 1e0", "Weight gt 1", "Style has Demo.Colour'Red' and Style eq 'Blue'",
        "When gt 2012-01-01T00:00:00Z", "Tags/$count gt 1",
        "Parts/$filter(Rating gt 1)/$count eq 0", "Name eq null", "cast(Rating,Edm.String) eq '1'",
        "Missing eq null or true",
    ])
    func `names and types that fit pass`(_ filter: String) throws {
        if filter.hasPrefix("Missing") {
            _ = try check(filter, type: "Demo.Open")
        } else {
            _ = try check(filter)
        }
    }

    @Test(arguments: [
        ("Nme eq 'a'", 0), ("Name eq 'a' and Addr/Town eq 'x'", 21), ("Parts/any(p:p/Nme eq 'x')", 14),
        ("Name/Length eq 1", 5),
        ("Parts/$filter(Nope gt 1)/$count eq 0", 14), ("Demo.Nothing/ID eq 1", 0),
    ])
    func `unknown names are reported at their place`(_ filter: String, _ offset: Int) {
        #expect { try check(filter) } throws: {
            ($0 as? Fault)?.code == .unknownProperty && ($0 as? Fault)?.offset == offset
        }
    }

    @Test(arguments: [
        ("Rating eq '4'", 10), ("Flag eq 1", 8), ("Name gt 5", 8), ("Name add 1 eq 2", 0), ("Tags eq 'a'", 8),
        ("contains(Rating,'a')", 9), ("not Name", 4),
        ("Name", 0), ("When eq 2012-01-01", 8), ("Name/any()", 0), ("Rating in ('a')", 10), ("Flag and Rating", 9),
        ("Parts/Name eq 'a'", 6), ("Tags gt 'a'", 0),
        ("Style eq 5", 9), ("Weight eq 'a'", 10), ("-Name eq 1", 1), ("Name/$count eq 1", 0),
    ])
    func `types that never fit are reported at the operand`(_ filter: String, _ offset: Int) {
        #expect { try check(filter) } throws: {
            if ($0 as? Fault)?.offset != offset {
                Issue.record("\(filter): \($0)")
            }
            return ($0 as? Fault)?.code == .typeMismatch
        }
    }

    @Test func `options of a URL are checked against their set`() throws {
        func check(_ url: String) throws { try ODataURL(parsing: url, version: .v401).check(against: Self.model) }
        try check(
            "Products?$select=Name,Addr/City&$expand=Parts($filter=Rating gt 1;$select=Name)&$orderby=Price desc&$compute=Price mul 2 as Twice"
        )
        try check("Products(1)/Addr?$select=City")
        try check("Products?$compute=Price mul 2 as Twice&$filter=Twice gt 1")
        for (url, offset) in [
            ("Products?$select=Nme", 17), ("Products?$orderby=Nme", 18), ("Products?$expand=Prts", 17),
            ("Products?$expand=Parts($filter=Nme%20gt%201)", 31),
            ("Nothing?$top=1", 0), ("Products(1)/Nothing", 12), ("Products?$filter=Twice gt 1", 17),
            ("Products?$select=%4Eame,Addr/Town", 29),
            ("Products?$top=1&$filter=%4Eame%20eq%20'a'%20and%20Nme%20eq%201", 50),
        ] {
            #expect { try check(url) } throws: {
                if ($0 as? Fault)?.offset != offset {
                    Issue.record("\(url): \($0)")
                }
                return ($0 as? Fault)?.code == .unknownProperty
            }
        }
    }

    @Test func `data take the declared types`() throws {
        func decide(_ filter: String, _ entity: JSONValue) throws -> Bool? { try check(filter).matches(entity) }
        #expect(try decide("Rating div 2 eq 2", ["Rating": 5]) == true)
        #expect(try decide("Price div 2 eq 2.5", ["Price": 5]) == true)
        #expect(try decide("Style has Demo.Colour'Red'", ["Style": "Purple"]) == true)
        #expect(try decide("Style gt Demo.Colour'Red'", ["Style": "Blue"]) == true)
        #expect(try decide("year(When) eq 2012", ["When": "2012-12-31T23:30:00-05:00"]) == true)
        #expect(try decide("Price eq 1.5", ["Price": "1.5"]) == true)
        // A value that does not match its declared type is null.
        #expect(try decide("Rating eq null", ["Rating": "x"]) == true)
        #expect(try decide("Flag", ["Flag": 1]) == nil)
    }
}
