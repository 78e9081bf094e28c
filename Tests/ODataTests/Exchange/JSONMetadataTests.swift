import Foundation
import OData
import TestSupport
import Testing

/// Compares models that are read from XML with those from the JSON into which a script converts the XML.
@Suite struct JSONMetadataTests {
    private static let folder = "odata-payloads/metadata-olingo4"

    /// The schemas with their operations in order of names, as JSON has the overloads of one name together; without
    /// annotations, which the script leaves out, and without what only the attributes of version 3.0 say.
    private static func comparable(_ model: EdmModel) -> [EdmSchema] {
        model.schemas.map { schema in
            var schema = schema
            schema.annotations = []
            schema.functions.sort { $0.name < $1.name }
            schema.actions.sort { $0.name < $1.name }
            for type in schema.entityTypes.indices {
                for index in schema.entityTypes[type].properties.indices {
                    schema.entityTypes[type].properties[index].feedMapping = nil
                    schema.entityTypes[type].properties[index].isConcurrencyToken = false
                    schema.entityTypes[type].properties[index].storeGeneratedPattern = nil
                    // JSON leaves out a length without a limit.
                    if schema.entityTypes[type].properties[index].type.facets.maxLength == .max {
                        schema.entityTypes[type].properties[index].type.facets.maxLength = nil
                    }
                }
            }
            for index in schema.containers.indices {
                schema.containers[index].isDefault = false
            }
            return schema
        }
    }

    @Test(
        .enabled(if: PythonPeer.isPresent, Comment(rawValue: PythonPeer.skipComment)),
        .enabled(if: TestData.isPresent(folder), Comment(rawValue: TestData.skipComment)))
    func `XML and JSON forms of recorded models are equal`() throws {
        var compared = 0
        for name in try TestData.names(in: Self.folder) {
            let xml = try TestData.bytes(Self.folder + "/" + name)
            guard let model = try? EdmModel(csdl: xml) else { continue }
            let lines = try PythonPeer.lines(of: "csdl_json.py", input: xml)
            // A document of version 3.0 has no schema that the script knows.
            guard lines.joined().contains("$Kind") else { continue }
            let json = try EdmModel(csdl: Array(lines.joined().utf8))
            #expect(Self.comparable(json) == Self.comparable(model), "\(name)")
            #expect(json.warnings.count == model.warnings.count, "\(name)")
            compared += 1
        }
        #expect(compared == 11)
    }

    @Test func `annotations of both forms are equal`() throws {
        let xml = """
            <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N" Alias="S"><EntityType Name="T"><Key>\
            <PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"><Annotation Term="X.A"\
             Bool="true"/></Property><Annotation Term="X.B" Qualifier="q"><Record Type="X.R"><PropertyValue Property="a"\
             Int="5"/><PropertyValue Property="b"><Collection><String>x</String><Path>ID</Path></Collection></PropertyValue>\
            </Record></Annotation><Annotation Term="X.C"><If><Bool>true</Bool><String>a</String><Null/></If></Annotation>\
            </EntityType><Annotations Target="S.T/ID"><Annotation Term="X.D" String="d"/></Annotations></Schema>
            """
        let json = """
            {"$Version":"4.01","N":{"$Alias":"S","T":{"$Kind":"EntityType","$Key":["ID"],"ID":{"$Type":"Edm.Int32",\
            "@X.A":true},"@X.B#q":{"@type":"#X.R","a":5,"b":["x",{"$Path":"ID"}]},"@X.C":{"$If":[true,"a",null]}},\
            "$Annotations":{"S.T/ID":{"@X.D":"d"}}}}
            """
        let models = try [xml, json].map { try EdmModel(csdl: Array($0.utf8)) }
        #expect(models[0].schemas[0].annotations.count == 4)
        #expect(models[0].schemas == models[1].schemas)
    }

    @Test func `the name of a labeled element of an annotation must be a text`() throws {
        func document(_ name: String) -> [UInt8] {
            Array(
                """
                {"$Version":"4.01","N":{"T":{"$Kind":"ComplexType","@X.A":{"$LabeledElement":1,"$Name":\(name)}}}}
                """.utf8)
        }
        let model = try EdmModel(csdl: document("\"a\""))
        #expect(model.schemas[0].annotations.first?.value.kind == "LabeledElement")
        let fault = #expect(throws: Fault.self) { try EdmModel(csdl: document("5")) }
        #expect(fault?.code == .invalidMetadata)
    }

    @Test(arguments: [("X.A#q", "X.A", "q"), ("X.A#", "X.A", nil), ("X.A#q#r", "X.A", "q#r"), ("X.A", "X.A", nil)])
    func `a qualifier follows the first number sign of an annotation`(
        name: String, term: String, qualifier: String?
    ) throws {
        let text = "{\"$Version\":\"4.01\",\"N\":{\"T\":{\"$Kind\":\"ComplexType\",\"@\(name)\":1}}}"
        let annotation = try EdmModel(csdl: Array(text.utf8)).schemas[0].annotations.first
        #expect(annotation?.term == term)
        #expect(annotation?.qualifier == qualifier)
    }

    @Test(arguments: [
        ("Self.T/P", "N.T/P"), ("Self.T/Self.D/P", "N.T/N.D/P"), ("Self.F(Edm.String)", "N.F(Edm.String)"),
        ("Self.F(Collection(Self.T),Edm.String)", "N.F(Collection(N.T),Edm.String)"), ("Other.T", "Other.T"),
    ])
    func `annotations have the qualifier around them, and targets without aliases`(
        target: String, resolved: String
    ) throws {
        let xml = """
            <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N" Alias="Self">\
            <Annotations Target="\(target)" Qualifier="Q"><Annotation Term="X.A" Qualifier="own"/>\
            <Annotation Term="X.A"/></Annotations></Schema>
            """
        let annotations = try EdmModel(csdl: Array(xml.utf8)).schemas[0].annotations
        #expect(annotations.map(\.qualifier) == ["own", "Q"])
        #expect(annotations.map(\.target) == [resolved, resolved])
    }

    @Test func `annotations of a container and its sets have their values in both forms`() throws {
        let xml = """
            <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N"><EntityType Name="T"><Key><PropertyRef \
            Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType><EntityContainer Name="C">\
            <EntitySet Name="S" EntityType="N.T"><Annotation Term="X.A" Bool="true"/><Annotation Term="X.B"><Collection>\
            <Record Type="X.R"><PropertyValue Property="a"><Record><PropertyValue Property="b" Path="ID"/></Record>\
            </PropertyValue></Record></Collection></Annotation></EntitySet><Annotation Term="X.C" String="c"/>\
            </EntityContainer></Schema>
            """
        let json = """
            {"$Version":"4.01","N":{"T":{"$Kind":"EntityType","$Key":["ID"],"ID":{"$Type":"Edm.Int32"}},\
            "C":{"$Kind":"EntityContainer","S":{"$Collection":true,"$Type":"N.T","@X.A":true,\
            "@X.B":[{"@type":"#X.R","a":{"b":{"$Path":"ID"}}}]},"@X.C":"c"}}}
            """
        let models = try [xml, json].map { try EdmModel(csdl: Array($0.utf8)) }
        let annotations = models[0].schemas[0].annotations
        #expect(annotations.map(\.target) == ["N.C/S", "N.C/S", "N.C"])
        #expect(annotations.first?.value == .init(kind: "Bool", text: "true"))
        #expect(models[0].schemas == models[1].schemas)
    }

    @Test(arguments: [
        (#""$Scale":"Variable""#, #"Scale="VARIABLE""#, Int.max), (#""$Scale":"floating""#, #"Scale="Floating""#, .max),
        (#""$Scale":2"#, #"Scale="2""#, 2), (#""$Scale":0"#, "", 0),
        ("\"$Precision\":5", #"Precision="5" Scale="variable""#, .max),
    ])
    func `the scale of a decimal may be a word in any case, and has a default of its own`(
        json: String, xml: String, scale: Int
    ) throws {
        let texts = [
            "<Schema xmlns=\"http://docs.oasis-open.org/odata/ns/edm\" Namespace=\"N\"><ComplexType Name=\"T\">"
                + "<Property Name=\"A\" Type=\"Edm.Decimal\" \(xml)/></ComplexType></Schema>",
            "{\"$Version\":\"4.01\",\"N\":{\"T\":{\"$Kind\":\"ComplexType\",\"A\":{\"$Type\":\"Edm.Decimal\",\"$Nullable\":true,"
                + json + "}}}}",
        ]
        for text in texts {
            let model = try EdmModel(csdl: Array(text.utf8))
            #expect(model.property("A", of: "N.T")?.type.facets.scale == scale, "\(text)")
        }
    }

    @Test(arguments: ["\"any\"", "-1", "{}"]) func `a scale is a number, variable or floating`(scale: String) {
        let text =
            "{\"$Version\":\"4.01\",\"N\":{\"T\":{\"$Kind\":\"ComplexType\",\"A\":{\"$Type\":\"Edm.Decimal\",\"$Scale\":\(scale)}}}}"
        let fault = #expect(throws: Fault.self) { try EdmModel(csdl: Array(text.utf8)) }
        #expect(fault?.code == .invalidMetadata)
    }
}
