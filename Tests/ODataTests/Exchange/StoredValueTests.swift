import Foundation
import JSONText
import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import ServiceTransport
import TestSupport
import Testing

/// Loads random values of every Edm type from every format and version into a soup, finds each by its literal, and
/// writes the rows as entities of the same format: type, value and digits are those that came.
///
/// `ci/exchange` runs this with more entities, and prints the figures.
@Suite struct StoredValueTests {
    private static let count = ProcessInfo.processInfo.environment["SOUP_STORED_VALUES"].flatMap(Int.init)
    /// The entities of one load.
    private static let entitiesAtOnce = 40

    @Test(arguments: ExchangeWay.all, [BackEnd.plain, .cipher])
    func `what is loaded is found by its values and written as it came`(
        way: ExchangeWay, backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = way.generator(seed: seed)
        var (entities, found, written) = (0, 0, 0)
        while entities < Self.count ?? 8 {
            let entries = try (0..<min(Self.entitiesAtOnce, (Self.count ?? 8) - entities)).map { number in
                try way.entry(Int32(number), way.model, &generator)
            }
            let setup = try StoredEntries(way, backEnd, entries)
            try await setup.load()
            for entry in entries {
                for property in entry.properties {
                    let literal = StoredEntries.literal(of: property.value, way.version)
                    guard let literal else { continue }
                    let ids = try setup.ids(where: property.name, is: literal)
                    guard let id = entry["ID"], ids.contains(id) else {
                        Issue.record("seed \(seed), \(property.name): no row has \(literal)")
                        return
                    }
                    found += 1
                }
            }
            for (entry, read) in zip(entries, try setup.written()) {
                for property in entry.properties where property.name != "ID" {
                    let value = read[property.name]
                    guard let value, ExchangeWay.areSame(value, property.value) else {
                        Issue.record(
                            "seed \(seed), \(property.name): \(property.value) is written as \(String(describing: value))"
                        )
                        return
                    }
                    written += 1
                }
            }
            entities += entries.count
        }
        if Self.count != nil {
            print(
                "exchange: stored \(way.testDescription) \(backEnd.rawValue): \(entities) entities with all of \(way.types.count) types, \(found) values found by eq, \(written) written as they came; seed \(seed)"
            )
        }
    }
}

/// A client with a store, and a service that answers with some entities.
private struct StoredEntries {
    private let way: ExchangeWay
    private let model: EdmModel
    private let folder: TemporaryFolder
    private let client: ODataClient

    init(_ way: ExchangeWay, _ backEnd: BackEnd, _ entries: [ODataEntry]) throws {
        self.way = way
        model = way.model
        folder = try TemporaryFolder()
        var options = StoreOptions(library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key() : nil)
        options.settings.durability = .relaxed
        let store = try SmartStore(path: folder.file("values.db"), options: options)
        var settings = EntitySetSettings()
        // Some values are found by an index, others by evaluation.
        settings.indexSpecs = [
            .string("PGuid"), .string("PDate"), .string("PDateTime"), .string("PDateTimeOffset"),
            .json1("PDecimal"), .json1("PInt64"), .json1("PBoolean"), .json1("PDouble"), .integer("PInt16"),
            .floating("PSingle"), .string("PDuration"), .string("PTimeOfDay"), .string("PBinary"), .string("Enum"),
        ]
        if way.format == .atom {
            // In JSON there are texts with U+0000, which no index takes.
            settings.indexSpecs.append(.string("PString"))
        }
        let map = try EntitySetMap(model: model, version: way.version, sets: ["Things": settings])
        var clientOptions = ODataClientOptions()
        clientOptions.format = way.format
        client = try ODataClient(
            store, serviceRoot: "http://values.example/", transport: FeedTransport(try Self.feed(entries, model, way)),
            map: map, options: clientOptions)
    }

    func load() async throws {
        let result = try await client.load("Things")
        if let fault = result.fault {
            throw fault
        }
    }

    /// The keys of the rows whose property has a value.
    func ids(where property: String, is literal: String) throws -> [ODataValue] {
        let escaped = literal.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        var cursor = try client.query("Things", "$filter=\(property)%20eq%20\(escaped)")
        var rows = cursor.page
        while try cursor.next() {
            rows += cursor.page
        }
        return try rows.compactMap { try JSONValue(parsing: $0)["ID"]?.int64 }.map { .int32(Int32($0)) }
    }

    /// The entities that a push would create from copies of the rows.
    func written() throws -> [ODataEntry] {
        var cursor = try client.query("Things")
        var rows = cursor.page
        while try cursor.next() {
            rows += cursor.page
        }
        for (number, row) in rows.enumerated() {
            var entity = try JSONValue(parsing: row).object ?? JSONObject()
            for name in entity.names where name.hasPrefix("_") {
                entity[name] = nil
            }
            entity["ID"] = .number(JSONNumber(Int64(1_000 + number)))
            try client.create("Things", entity)
        }
        var options = PayloadOptions(version: way.version, contentType: ContentType(way.contentType))
        options.model = model
        options.entityType = "N.T"
        return try client.plan().map { request in
            guard case .entry(let entry) = try ODataPayload(reading: Array((request.body ?? "").utf8), options: options)
            else {
                Issue.record("not an entity: \(request.body ?? "")")
                return ODataEntry()
            }
            return entry
        }
    }

    /// The literal by which a value is found; nil if it equals nothing, or has no literal.
    static func literal(of value: ODataValue, _ version: ODataVersion) -> String? {
        switch value {
        case .null, .complex, .collection, .spatial: nil
        case .double(let number) where number.isNaN: nil
        case .single(let number) where number.isNaN: nil
        // Since version 4.0 there are no literals of singles, and a single equals a double of its exact value.
        case .single(let number) where version.isV4: LiteralText.text(of: .double(Double(number)), version: version)
        default: LiteralText.text(of: value, version: version)
        }
    }

    // MARK: - The service

    /// The answer with all entities.
    private static func feed(_ entries: [ODataEntry], _ model: EdmModel, _ way: ExchangeWay) throws -> ServiceResponse {
        var writer = ODataEntryWriter(version: way.version, format: way.format, model: model, entityType: "N.T")
        writer.isIEEE754Compatible = way.isIEEE754
        let texts = try entries.map { try writer.text(of: $0) }
        let list = texts.joined(separator: ",")
        let body: String =
            switch (way.format, way.version) {
            case (.atom, _):
                "<feed xmlns=\"http://www.w3.org/2005/Atom\">" + texts.map(withoutDeclaration).joined() + "</feed>"
            case (.verboseJSON, .v1): "{\"d\":[\(list)]}"
            case (.verboseJSON, _): "{\"d\":{\"results\":[\(list)]}}"
            case (.json, _): "{\"value\":[\(list)]}"
            }
        let versionHeader = way.version.isV4 ? "OData-Version" : "DataServiceVersion"
        return ServiceResponse(
            status: 200,
            headers: [Pair("Content-Type", way.contentType), Pair(versionHeader, way.version.rawValue)],
            body: Array(body.utf8))
    }

    private static func withoutDeclaration(_ text: String) -> String {
        guard text.hasPrefix("<?xml"), let end = text.range(of: "?>") else { return text }
        return String(text[end.upperBound...])
    }
}

/// Answers every request alike.
private struct FeedTransport: Transport {
    let response: ServiceResponse

    init(_ response: ServiceResponse) { self.response = response }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse { response }
}
