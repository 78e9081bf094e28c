import Conformance
import FoundationEssentials
import JSONText
import OData
import Soups
import TestSupport

/// One case of the published grammar: a text that matches a rule, or the offset at which it fails.
struct PublishedCase: CustomStringConvertible {
    let rule: String
    let input: String
    let failAt: Int?

    var description: String { "\(rule): \(input)" }

    /// The cases of a part of the published file.
    static func load(_ part: String) throws -> [PublishedCase] {
        let file = try JSONValue(parsing: TestData.bytes("odata-abnf/testcases.json"))
        return (file[part]?["TestCases"]?.array ?? []).compactMap { item in
            guard let rule = item["Rule"]?.string, let input = item["Input"]?.string else {
                return nil
            }
            return PublishedCase(
                rule: rule.lowercased(), input: input,
                failAt: item["FailAt"].flatMap { $0.string.flatMap { Int($0) } ?? $0.int64.map { Int($0) } })
        }
    }

    /// The words that the constraints in the file allow for a rule.
    static func names(_ part: String, _ rule: String) throws -> Set<String> {
        let file = try JSONValue(parsing: TestData.bytes("odata-abnf/testcases.json"))
        return Set((file[part]?["Constraints"]?[rule]?.array ?? []).compactMap(\.string))
    }

    /// A model of one entity type that has members with all names in the constraints.
    static func model(_ part: String, declaresAliases: Bool = true) throws -> EdmModel {
        let own = "Self.Everything"
        func properties(_ rule: String, _ type: EdmTypeReference) throws -> [EdmProperty] {
            try names(part, rule).sorted().map { EdmProperty($0, type) }
        }
        func navigation(_ rule: String, isCollection: Bool) throws -> [EdmNavigationProperty] {
            try names(part, rule).sorted().map {
                EdmNavigationProperty($0, EdmTypeReference(own, isCollection: isCollection))
            }
        }
        // Names of aggregation results, and values of unknown kind, must be valid everywhere.
        let open = EdmTypeReference("Self.Unknown")
        let type = EdmStructuredType(
            kind: .entity, name: "Everything",
            properties: try properties("primitiveKeyProperty", open) + properties("primitiveNonKeyProperty", open)
                + (declaresAliases ? properties("expressionAlias", open) : [])
                + properties("streamProperty", open) + properties("complexProperty", EdmTypeReference(own))
                + properties("primitiveColProperty", EdmTypeReference("Edm.String", isCollection: true))
                + properties("complexColProperty", EdmTypeReference(own, isCollection: true)),
            navigation: try navigation("entityNavigationProperty", isCollection: false)
                + navigation("entityColNavigationProperty", isCollection: true))
        let derived = try names(part, "entityTypeName").sorted().map {
            EdmStructuredType(kind: .entity, name: $0, baseType: own)
        }
        let sets = try names(part, "entitySetName").sorted().map { EdmContainer.EntitySet($0, entityType: own) }
        return EdmModel(schemas: [
            EdmSchema(
                namespace: "Self", entityTypes: [type] + derived,
                containers: [EdmContainer(name: "Container", entitySets: sets)])
        ])
    }

    private static let customNames = Result {
        try names("odata-abnf-testcases.yaml", "customName").union(names("odata-abnf-testcases.yaml", "parameterName"))
    }

    /// Rules for payload contexts and headers instead of URLs, options or literals.
    static let otherRules: Set<String> = [
        "context", "header", "request-id", "prefer", "preference", "includeannotationspreference",
        "maxpagesizepreference",
    ]

    /// Parses the text by the rule; throws a fault if it does not match.
    func read() throws {
        switch rule {
        case "odatauri", "odatarelativeuri", "resourcepath": try readURL(input)
        case "queryoptions", "filter", "orderby", "expand", "select", "search", "compute", "deltatoken", "skiptoken",
            "customqueryoption",
            "systemqueryoption":
            // A '#' ends the query, and the rest of the option must still be valid.
            try readQuery()
        case "boolcommonexpr", "commonexpr", "firstmemberexpr", "propertypathexpr", "notexpr", "isofexpr", "castexpr":
            _ = try ODataExpression(parsing: Self.decoded(input), version: .v401)
        case "anyexpr": _ = try ODataExpression(parsing: "Items/" + Self.decoded(input), version: .v401)
        case "searchexpr": _ = try SearchExpression(parsing: Self.decoded(input), version: .v401)
        case "functionparameter": try readURL("F(" + input + ")")
        case "entitysetname", "odataidentifier":
            let tree = try ODataExpression(parsing: input, version: .v401)
            if tree.nodes[tree.root].kind != .path {
                throw Fault(.syntax, "no name", offset: 0)
            }
        case "stringinurl": _ = try ODataExpression(parsing: "[" + Self.decoded(input) + "]", version: .v401)
        default:
            if rule.hasSuffix("value") {
                try readValue()
            } else {
                try readLiteral()
            }
        }
    }

    private func readURL(_ url: String) throws {
        let parsed = try ODataURL(parsing: url, version: .v401)
        try checkCustomNames(parsed.options)
    }

    private func readQuery() throws {
        let options = try ODataURL.options(parsing: input, version: .v401)
        try checkCustomNames(options)
    }

    /// The constraints list the custom options that exist.
    private func checkCustomNames(_ options: QueryOptions) throws {
        let known = try Self.customNames.get()
        for option in options.custom where !known.contains(option.name) {
            throw Fault(.syntax, "no such option", offset: input.unicodeScalars.count)
        }
    }

    private func readLiteral() throws {
        let tree = try ODataExpression(parsing: Self.decoded(input), version: .v401)
        let parts = tree.json.array ?? []
        let type = parts.count > 2 ? parts[1].string ?? "" : parts.first?.string ?? ""
        let allowed = Self.types[rule].map { $0.contains(type) } ?? type.lowercased().hasSuffix(rule)
        if rule != "primitiveliteral", !allowed {
            throw Fault(.syntax, "a literal of another type", offset: 0)
        }
    }

    /// The types of the literals of a rule. Numbers get the smallest type, and enumeration members without a type are
    /// strings.
    private static let types: [String: Set<String>] = [
        "null": ["null"], "binaryliteral": ["Edm.Binary"], "boolean": ["Edm.Boolean"], "date": ["Edm.Date"],
        "guid": ["Edm.Guid"],
        "datetimeoffsetliteral": ["Edm.DateTimeOffset"], "datetimeoffsetvalueinurl": ["Edm.DateTimeOffset"],
        "timeofdayliteral": ["Edm.TimeOfDay"],
        "durationliteral": ["Edm.Duration"], "stringliteral": ["Edm.String"],
        "enumliteral": ["Sales.Pattern", "Edm.String"],
        "decimalliteral": ["Edm.Decimal", "Edm.Double", "Edm.Int32"], "doubleliteral": ["Edm.Double", "Edm.Decimal"],
        "singleliteral": ["Edm.Double", "Edm.Decimal"], "sbyteliteral": ["Edm.Int32"], "int16literal": ["Edm.Int32"],
        "int32literal": ["Edm.Int32"],
        "int64literal": ["Edm.Int64", "Edm.Int32"],
    ]

    private func readValue() throws {
        let types: [EdmPrimitiveType] =
            switch rule {
            case "booleanvalue": [.boolean]
            case "datevalue": [.date]
            case "datetimeoffsetvalue": [.dateTimeOffset]
            case "timeofdayvalue": [.timeOfDay]
            case "durationvalue": [.duration]
            case "decimalvalue": [.decimal, .double]
            case "doublevalue": [.double]
            case "singlevalue": [.single]
            case "bytevalue": [.byte]
            case "sbytevalue": [.sbyte]
            case "int16value": [.int16]
            case "int32value": [.int32]
            case "int64value": [.int64]
            case "primitivevalue": [.boolean, .decimal, .binary]
            default: []
            }
        if types.contains(where: { (try? ODataValue(parsing: input, as: $0)) != nil }) {
            return
        }
        guard rule == "enumvalue" || rule == "primitivevalue" else {
            throw Fault(.invalidLiteral, "no value", offset: nil)
        }
        _ = try ODataExpression(parsing: "Ns.T'" + input + "'", version: .v401)
    }

    /// Decodes `%XX`.
    static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
