import JSONText
import OData
import Soups

/// The calls about OData texts: URLs, expressions, options and the values of expressions.
enum ODataExpressionCalls {
    static let all: [CallHandler] = [
        text("odata.parseURL", argument: "url", ODataTextCalls.parseURL),
        text("odata.parseFilter", ODataTextCalls.parseFilter),
        text("odata.parseOrderBy", ODataTextCalls.parseOrderBy),
        text("odata.parseExpand", ODataTextCalls.parseExpand),
        text("odata.parseSelect", ODataTextCalls.parseSelect),
        text("odata.parseSearch", ODataTextCalls.parseSearch),
        text("odata.formatFilter", ODataTextCalls.formatFilter),
        .reads("odata.evaluate") { (_, arguments) throws(Fault) in
            guard let entity = arguments.value("entity"), entity.object != nil else {
                throw CallArguments.wrong("entity", "must be an object")
            }
            return try ODataTextCalls.evaluate(
                filter: try arguments.text("filter"), entity: entity, root: arguments.value("root"),
                try textContext(arguments))
        },
        .reads("odata.applyOptions") { (_, arguments) throws(Fault) in
            try ODataTextCalls.applyOptions(
                query: try arguments.text("query"), entries: try arguments.array("entries"),
                now: try instant("now", of: arguments), try textContext(arguments))
        },
    ]

    static let capabilities: Set<Capability> = [.odata, .apply]

    private static func text(
        _ name: String, argument: String = "text",
        _ work: @escaping @Sendable (String, ODataTextCalls.Context) throws(Fault) -> JSONValue
    ) -> CallHandler {
        .reads(name) { (_, arguments) throws(Fault) in
            try work(try arguments.text(argument), try textContext(arguments))
        }
    }

    private static func textContext(_ arguments: CallArguments) throws(Fault) -> ODataTextCalls.Context {
        ODataTextCalls.Context(
            version: try version(arguments), model: try model(arguments),
            entityType: try arguments.optionalText("entityType"))
    }

    static func instant(_ name: String, of arguments: CallArguments) throws(Fault) -> EdmDateTimeOffset? {
        guard let text = try arguments.optionalText(name) else { return nil }
        guard let instant = EdmDateTimeOffset(text) else {
            throw CallArguments.wrong(name, "must be a date and time such as 2026-05-04T12:00:00Z")
        }
        return instant
    }

    /// The version argument; 4.0 by default.
    static func version(_ arguments: CallArguments) throws(Fault) -> ODataVersion {
        guard let text = try arguments.optionalText("version") else {
            return .v4
        }
        guard let version = ODataVersion(rawValue: text) else {
            throw CallArguments.wrong("version", "must be 1.0, 2.0, 3.0, 4.0 or 4.01")
        }
        return version
    }

    /// The model of the metadata argument; `nil` for a call without metadata.
    static func model(_ arguments: CallArguments) throws(Fault) -> EdmModel? {
        guard let text = try arguments.optionalText("metadata") else { return nil }
        return try EdmModel(csdl: Array(text.utf8), isDecodedText: true)
    }
}
