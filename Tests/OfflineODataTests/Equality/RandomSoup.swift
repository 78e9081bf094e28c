import JSONText
import OData
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport

/// A soup of random documents under random indexes, and a model that the documents partly break.
struct RandomSoup {
    let store: SmartStore
    private(set) var specs: [IndexSpec]
    let model: EdmModel?
    let version: ODataVersion
    /// The rows as they are stored, by their ids.
    let rows: [Int64: [UInt8]]
    /// The rows as the evaluation reads them, in the order of their ids.
    let entities: [JSONValue]
    /// The model with the members that every row has.
    let describedModel: EdmModel?
    let theme: RandomValues.Theme
    private let isExternal: Bool

    init(_ store: SmartStore, _ random: inout SeededRandom) throws {
        self.store = store
        version = [.v2, .v3, .v4, .v401, .v401].randomElement(using: &random) ?? .v4
        theme = RandomValues.Theme.allCases.randomElement(using: &random) ?? .everything
        isExternal = Int.random(in: 0..<12, using: &random) == 0
        specs = Self.specs(isExternal, &random)
        try store.registerSoup(
            SoupSpec(name: "S", features: isExternal ? [.externalStorage] : []), indexSpecs: specs)
        for _ in 0..<Int.random(in: 6...14, using: &random) {
            try store.upsert([Array(RandomValues.document(&random, theme).utf8)], into: "S")
        }
        model = Bool.random(using: &random) ? Self.model(version, &random) : nil
        describedModel = model?.describingRows()
        let stored = try store.retrieve(ids: Array(1...14), from: "S")
        entities = try stored.map { try JSONValue(parsing: $0) }
        rows = Dictionary(uniqueKeysWithValues: zip(entities.map { $0["_soupEntryId"]?.int64 ?? 0 }, stored))
    }

    /// Changes the indexes. The rows stay as they are.
    mutating func alter(_ random: inout SeededRandom) throws {
        specs = Self.specs(isExternal, &random)
        try store.alterSoup("S", indexSpecs: specs, reIndexData: true)
    }

    private static func specs(_ isExternal: Bool, _ random: inout SeededRandom) -> [IndexSpec] {
        var specs: [IndexSpec] = [IndexSpec(path: "Z", type: .string)]
        for path in ["A", "B", "D.E"] {
            let types: [IndexType?] = [nil, .string, .string, .integer, .floating, .json1, .json1, .fullText]
            // An entry in a file of its own has no index that reads its JSON.
            if let type = types.randomElement(using: &random) ?? nil, type != .json1 || !isExternal {
                specs.append(IndexSpec(path: path, type: type))
            }
        }
        return specs
    }

    private static func model(_ version: ODataVersion, _ random: inout SeededRandom) -> EdmModel {
        let common = [
            "Int32", "Int64", "Decimal", "Double", "Single", "String", "Boolean", "Guid", "Byte", "DateTimeOffset",
        ]
        let types = common + (version.isV4 ? ["Date", "TimeOfDay"] : ["DateTime"])
        func property(_ name: String) -> EdmProperty {
            EdmProperty(name, EdmTypeReference(text: "Edm." + (types.randomElement(using: &random) ?? "String")))
        }
        let part = EdmStructuredType(kind: .complex, name: "C", properties: [property("E")])
        let row = EdmStructuredType(
            kind: .entity, name: "T", isOpen: true,
            properties: [
                property("A"), property("B"), EdmProperty("D", EdmTypeReference(text: "N.C")),
                EdmProperty("N", EdmTypeReference(text: "Edm.String")),
            ])
        return EdmModel(schemas: [EdmSchema(namespace: "N", entityTypes: [row], complexTypes: [part])])
    }
}
