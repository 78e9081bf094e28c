import JSONText
import OfflineSync
import Soups

/// The calls that describe targets, and that fetch metadata and layouts.
enum SyncModelCalls {
    static let all: [CallHandler] = [
        .apart("sync.describeTarget", writes: false) { (context, arguments) throws(Fault) in
            try describe(context, arguments)
        },
        .apart("sync.fetchMetadata", writes: true) { (context, arguments) throws(Fault) in
            let models = MetadataManager(try context.manager(arguments))
            let (type, mode) = (try arguments.text("sobjectType"), try mode(arguments))
            return try fetch(context, arguments) {
                let found = try await models.fetch(type, mode: mode)
                return (found.source.rawValue, found.model.map(json) ?? .null)
            }
        },
        .apart("sync.fetchLayout", writes: true) { (context, arguments) throws(Fault) in
            let models = LayoutManager(try context.manager(arguments))
            let question = LayoutQuestion(
                try arguments.text("sobjectType"), formFactor: try arguments.optionalText("formFactor"),
                layoutType: try arguments.optionalText("layoutType"), mode: try arguments.optionalText("layoutMode"),
                recordTypeId: try arguments.optionalText("recordTypeId"))
            let mode = try mode(arguments)
            return try fetch(context, arguments) {
                let found = try await models.fetch(question, mode: mode)
                return (found.source.rawValue, found.model.map(json) ?? .null)
            }
        },
    ]

    private static func mode(_ arguments: CallArguments) throws(Fault) -> ModelMode {
        guard let mode = ModelMode(rawValue: try arguments.text("mode")) else {
            throw CallArguments.wrong("mode", "must be CACHE_ONLY, CACHE_FIRST or SERVER_FIRST")
        }
        return mode
    }

    private static func fetch(
        _ context: CallContext, _ arguments: CallArguments,
        _ work: @escaping @Sendable () async throws -> (source: String, model: JSONValue)
    ) throws(Fault) -> JSONValue {
        try SyncRunCalls.requesting(context, arguments) { requests in
            let found = try await work()
            return ["source": .string(found.source), "model": found.model, "requests": .array(requests())]
        }
    }

    private static func json(_ model: ObjectMetadata) -> JSONValue {
        [
            "name": text(model.name), "label": text(model.label), "keyPrefix": text(model.keyPrefix),
            "fields": model.fields.map(JSONValue.array) ?? .null, "rawData": .object(model.rawData),
        ]
    }

    private static func json(_ model: ObjectLayout) -> JSONValue {
        ["sections": model.sections.map(JSONValue.array) ?? .null, "rawData": .object(model.rawData)]
    }

    private static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    private static func describe(_ context: CallContext, _ arguments: CallArguments) throws(Fault) -> JSONValue {
        let target = try arguments.object("target")
        let soup = try arguments.optionalText("soupName")
        let description: TargetDescription
        switch try arguments.text("direction") {
        case "down":
            description = try TargetDescription(
                down: target, registry: context.sync.options.targets, soup: soup,
                bound: arguments.optionalInteger("bound"), syncId: arguments.optionalInteger("syncId"))
        case "up": description = try TargetDescription(up: target, soup: soup)
        default: throw CallArguments.wrong("direction", "must be down or up")
        }
        let texts: [(String, String?)] = [
            ("query", description.query), ("resyncQuery", description.resyncQuery),
            ("remoteIdsQuery", description.remoteIdsQuery), ("dirtyIdsSql", description.dirtyIdsSql),
            ("cleanIdsSql", description.cleanIdsSql),
        ]
        var members: [(String, JSONValue)] = [("target", .object(description.target))]
        members += texts.compactMap { name, text in text.map { (name, .string($0)) } }
        members += description.isOrdered.map { [("ordered", .bool($0))] } ?? []
        return .object(JSONObject(members))
    }
}
