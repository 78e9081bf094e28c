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
    let members: [RandomMember]
    private let isExternal: Bool

    init(_ store: SmartStore, _ random: inout SeededRandom) throws {
        self.store = store
        version = [.v2, .v3, .v4, .v401, .v401].randomElement(using: &random) ?? .v4
        let hasModel = Bool.random(using: &random)
        members = RandomMember.documents(version, hasModel: hasModel, &random)
        isExternal = Int.random(in: 0..<12, using: &random) == 0
        specs = Self.specs(members, isExternal, &random)
        try store.registerSoup(
            SoupSpec(name: "S", features: isExternal ? [.externalStorage] : []), indexSpecs: specs)
        let subjects = Dictionary(uniqueKeysWithValues: members.map { ($0.path, $0.subject) })
        let count = Int.random(in: 8...16, using: &random)
        try store.upsert((0..<count).map { _ in Array(RandomValues.document(&random, subjects).utf8) }, into: "S")
        model = hasModel ? Self.model(members) : nil
        describedModel = model?.describingRows()
        let stored = try store.retrieve(ids: (1...count).map { Int64($0) }, from: "S")
        entities = try stored.map { try JSONValue(parsing: $0) }
        rows = Dictionary(uniqueKeysWithValues: zip(entities.map { $0["_soupEntryId"]?.int64 ?? 0 }, stored))
    }

    /// Draws a query.
    func query(_ random: inout SeededRandom) -> String {
        var draw = RandomQuery(
            random: SeededRandom(seed: random.next()), version: version, members: members,
            others: RandomMember.others(hasModel: model != nil))
        return draw.query()
    }

    /// Changes the indexes. The rows stay as they are.
    mutating func alter(_ random: inout SeededRandom) throws {
        specs = Self.specs(members, isExternal, &random)
        try store.alterSoup("S", indexSpecs: specs, reIndexData: true)
    }

    private static func specs(
        _ members: [RandomMember], _ isExternal: Bool, _ random: inout SeededRandom
    ) -> [IndexSpec] {
        var specs: [IndexSpec] = [IndexSpec(path: "Z", type: .string)]
        for member in members {
            // An entry in a file of its own has no index that reads its JSON.
            if let type = member.subject.indexTypes.randomElement(using: &random) ?? nil,
                type != .json1 || !isExternal
            {
                specs.append(IndexSpec(path: member.indexPath, type: type))
            }
        }
        return specs
    }

    private static func model(_ members: [RandomMember]) -> EdmModel {
        func properties(_ prefix: String) -> [EdmProperty] {
            members.compactMap { member in
                guard member.path.hasPrefix(prefix), let type = member.type else { return nil }
                return EdmProperty(String(member.path.dropFirst(prefix.count)), EdmTypeReference(text: type.rawValue))
            }
        }
        let part = EdmStructuredType(kind: .complex, name: "C", isOpen: true, properties: properties("D/"))
        let row = EdmStructuredType(
            kind: .entity, name: "T", isOpen: true,
            properties: properties("").filter { !$0.name.contains("/") } + [
                EdmProperty("D", EdmTypeReference(text: "N.C")), EdmProperty("N", EdmTypeReference(text: "Edm.String")),
            ])
        return EdmModel(schemas: [EdmSchema(namespace: "N", entityTypes: [row], complexTypes: [part])])
    }
}
