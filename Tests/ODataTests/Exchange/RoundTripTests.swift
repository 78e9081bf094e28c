import Foundation
import OData
import TestSupport
import Testing

/// Writes random values of every Edm type in every format and version, reads them and compares: type, value and digits.
///
/// `ci/exchange` runs this with 10,000 entities of each format, and prints the figures.
@Suite struct RoundTripTests {
    struct Way: Sendable, CustomTestStringConvertible {
        let version: ODataVersion
        let format: ODataChangeRequest.Format
        var isIEEE754 = false
        var testDescription: String { "\(format.rawValue) \(version.rawValue)" + (isIEEE754 ? " IEEE754" : "") }
        var contentType: ContentType {
            switch format {
            case .atom: ContentType("application/atom+xml")
            case .verboseJSON: ContentType("application/json;odata=verbose")
            case .json: ContentType("application/json")
            }
        }
    }

    static let ways: [Way] = [
        Way(version: .v1, format: .atom), Way(version: .v2, format: .atom), Way(version: .v3, format: .atom),
        Way(version: .v4, format: .atom), Way(version: .v1, format: .verboseJSON),
        Way(version: .v2, format: .verboseJSON), Way(version: .v3, format: .verboseJSON),
        Way(version: .v3, format: .json), Way(version: .v4, format: .json),
        Way(version: .v4, format: .json, isIEEE754: true), Way(version: .v401, format: .json),
        Way(version: .v401, format: .json, isIEEE754: true),
    ]

    private static let count = ProcessInfo.processInfo.environment["SOUP_ROUND_TRIPS"].flatMap(Int.init)

    /// The primitive types that a version has.
    private static func types(_ version: ODataVersion) -> [EdmPrimitiveType] {
        EdmPrimitiveType.allCases.filter { type in
            switch type {
            case .stream: false
            case .dateTime, .time: !version.isV4
            case .date, .timeOfDay, .duration: version.isV4
            default: !type.isSpatial || version >= .v3
            }
        }
    }

    private static func model(_ version: ODataVersion) -> EdmModel {
        var properties = types(version).map {
            EdmProperty("P" + $0.rawValue.dropFirst(4), EdmTypeReference($0.rawValue))
        }
        if version >= .v3 {
            properties += types(version).map {
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
                enumTypes: [EdmEnumType(name: "E", isFlags: true, members: members)])
        ])
    }

    /// A value for a property: of ten one is null, outside of collections.
    private static func value(
        of property: EdmProperty, _ generator: inout EdmValueGenerator, _ model: EdmModel
    ) throws -> ODataValue {
        if Int.random(in: 0..<10, using: &generator.random) == 0, !property.type.isCollection {
            return .null
        }
        if property.type.name == "N.C" {
            var members: [ODataValue.Member] = []
            for member in model.properties(of: "N.C") {
                members.append(.init(member.name, try value(of: member, &generator, model)))
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

    @Test(arguments: ways) func `what is written is read as it was`(way: Way) throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = EdmValueGenerator(
            seed: seed, hasMilliseconds: way.format == .verboseJSON && way.version <= .v2, isXML: way.format == .atom)
        let model = Self.model(way.version)
        var writer = ODataEntryWriter(version: way.version, format: way.format, model: model, entityType: "N.T")
        writer.isIEEE754Compatible = way.isIEEE754
        var options = PayloadOptions(version: way.version, contentType: way.contentType)
        options.model = model
        options.entityType = "N.T"
        var values = 0
        let rounds = Self.count ?? 40
        for round in 0..<rounds {
            var entry = ODataEntry()
            entry.append(.init("ID", .int32(Int32(round))))
            for property in model.properties(of: "N.T").dropFirst() {
                entry.append(.init(property.name, try Self.value(of: property, &generator, model)))
            }
            let text = try writer.text(of: entry)
            guard case .entry(let read) = try ODataPayload(reading: Array(text.utf8), options: options) else {
                Issue.record("seed \(seed): not an entry: \(text)")
                return
            }
            for property in entry.properties {
                let found = read[property.name]
                let isSame = found.map { Self.areSame($0, property.value) } ?? false
                #expect(
                    isSame, "seed \(seed), \(property.name): \(property.value) is read as \(String(describing: found))")
                guard isSame else { return }
                values += 1
            }
        }
        if Self.count != nil {
            let types = Self.types(way.version).count
            print(
                "exchange: \(way.testDescription): \(rounds) entities with all of \(types) types, \(values) in all, equal; seed \(seed)"
            )
        }
    }

    /// Whether two values have the same type, value and digits.
    private static func areSame(_ a: ODataValue, _ b: ODataValue) -> Bool {
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
