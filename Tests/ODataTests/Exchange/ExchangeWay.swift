import OData
import TestSupport
import Testing

/// A version and a format in which values of every Edm type are exchanged.
struct ExchangeWay: Sendable, CustomTestStringConvertible {
    let version: ODataVersion
    let format: ODataChangeRequest.Format
    var isIEEE754 = false
    var testDescription: String { "\(format.rawValue) \(version.rawValue)" + (isIEEE754 ? " IEEE754" : "") }

    var contentType: String {
        switch format {
        case .atom: "application/atom+xml"
        case .verboseJSON: "application/json;odata=verbose"
        case .json: "application/json"
        }
    }

    static let all: [ExchangeWay] = [
        ExchangeWay(version: .v1, format: .atom), ExchangeWay(version: .v2, format: .atom),
        ExchangeWay(version: .v3, format: .atom), ExchangeWay(version: .v4, format: .atom),
        ExchangeWay(version: .v1, format: .verboseJSON),
        ExchangeWay(version: .v2, format: .verboseJSON), ExchangeWay(version: .v3, format: .verboseJSON),
        ExchangeWay(version: .v3, format: .json), ExchangeWay(version: .v4, format: .json),
        ExchangeWay(version: .v4, format: .json, isIEEE754: true), ExchangeWay(version: .v401, format: .json),
        ExchangeWay(version: .v401, format: .json, isIEEE754: true),
    ]

    /// The primitive types that the version has.
    var types: [EdmPrimitiveType] {
        EdmPrimitiveType.allCases.filter { type in
            switch type {
            case .stream: false
            case .dateTime, .time: !version.isV4
            case .date, .timeOfDay, .duration: version.isV4
            default: !type.isSpatial || version >= .v3
            }
        }
    }

    /// An entity type with a property, and where there are collections one of them, of each type.
    var model: EdmModel {
        var properties = types.map {
            EdmProperty("P" + $0.rawValue.dropFirst(4), EdmTypeReference($0.rawValue))
        }
        if version >= .v3 {
            properties += types.map {
                EdmProperty("C" + $0.rawValue.dropFirst(4), EdmTypeReference($0.rawValue, isCollection: true))
            }
            properties.append(EdmProperty("Enum", EdmTypeReference("N.E")))
        }
        properties.append(EdmProperty("Complex", EdmTypeReference("N.C")))
        let key = EdmProperty("ID", EdmTypeReference("Edm.Int32", isNullable: false))
        let complex = EdmStructuredType(kind: .complex, name: "C", properties: Array(properties.dropLast()))
        let entity = EdmStructuredType(
            kind: .entity, name: "T", key: [.init("ID")], properties: [key] + properties)
        let members = [EdmEnumType.Member("A", 1), EdmEnumType.Member("B", 2)]
        return EdmModel(schemas: [
            EdmSchema(
                namespace: "N", entityTypes: [entity], complexTypes: [complex],
                enumTypes: [EdmEnumType(name: "E", isFlags: true, members: members)],
                containers: [EdmContainer(name: "C", entitySets: [.init("Things", entityType: "N.T")])])
        ])
    }

    /// Draws values that the format can carry.
    func generator(seed: UInt64) -> EdmValueGenerator {
        EdmValueGenerator(
            seed: seed, hasMilliseconds: format == .verboseJSON && version <= .v2, isXML: format == .atom)
    }

    /// An entity with a value for each property.
    func entry(_ id: Int32, _ model: EdmModel, _ generator: inout EdmValueGenerator) throws -> ODataEntry {
        var entry = ODataEntry()
        entry.append(.init("ID", .int32(id)))
        for property in model.properties(of: "N.T").dropFirst() {
            entry.append(.init(property.name, try value(of: property, model, &generator)))
        }
        return entry
    }

    /// A value for a property: of ten one is null, outside of collections.
    private func value(
        of property: EdmProperty, _ model: EdmModel, _ generator: inout EdmValueGenerator
    ) throws -> ODataValue {
        if Int.random(in: 0..<10, using: &generator.random) == 0, !property.type.isCollection {
            return .null
        }
        if property.type.name == "N.C" {
            var members: [ODataValue.Member] = []
            for member in model.properties(of: "N.C") {
                members.append(.init(member.name, try value(of: member, model, &generator)))
            }
            return .complex(members)
        }
        guard let type = property.type.primitiveType else {
            return .enumeration(type: "N.E", members: Bool.random(using: &generator.random) ? "A,B" : "B")
        }
        guard property.type.isCollection else {
            return try generator.value(type)
        }
        return .collection(
            try (0..<Int.random(in: 0...3, using: &generator.random)).map { _ in try generator.value(type) })
    }

    /// Whether two values have the same type, value and digits.
    static func areSame(_ a: ODataValue, _ b: ODataValue) -> Bool {
        switch (a, b) {
        case (.complex(let x), .complex(let y)):
            return x.count == y.count
                && y.allSatisfy { member in
                    x.contains { $0.name == member.name && areSame($0.value, member.value) }
                }
        case (.collection(let x), .collection(let y)):
            return x.count == y.count && zip(x, y).allSatisfy { areSame($0, $1) }
        case (.spatial(_, let x), .spatial(_, let y)): return x == y
        case (.enumeration(_, let x), .enumeration(_, let y)): return x == y
        default: return a == b && a.canonicalText == b.canonicalText
        }
    }
}
