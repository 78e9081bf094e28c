import JSONText
import Soups

/// Reads a complete JSON body that is not a feed: an entity, an error, a service document, a single property or value,
/// links.
enum JSONDocument {
    static func read(
        _ root: JSONNode, _ builder: inout JSONEntryBuilder, base: BaseURL?
    ) throws(Fault) -> ODataPayload {
        guard root.kind == .object else {
            throw Fault(.invalidJSON, "not an OData payload: expected a JSON object", offset: root.offset)
        }
        let context = (root["@odata.context"] ?? root["@context"] ?? root["odata.metadata"])?.string
        // With a context URL it is an entity with a property of that name.
        if context == nil, let error = root["error"] ?? root["odata.error"], error.kind == .object,
            builder.options.isOfFailure || isErrorAlone(root)
        {
            return .error(try errorBody(error))
        }
        var content = root
        if !builder.options.readVersion.isV4, let inner = root["d"], isWrapper(root) {
            builder.format = .verbose
            if inner.isNull || inner.kind == .array {
                return .property(try bareValue(inner, stated: nil, &builder), context: nil)
            }
            guard inner.kind == .object else {
                throw Fault(.invalidJSON, "not an OData payload: expected a JSON object", offset: inner.offset)
            }
            content = inner
        }
        if root["$Version"] != nil || root["$EntityContainer"] != nil {
            throw UnsupportedBody.jsonMetadata.fault
        }
        if isBatch(root, builder) {
            return .batch(try batch(root))
        }
        return try body(content, of: root, context, &builder, base: base)
    }

    private static func batch(_ root: JSONNode) throws(Fault) -> ODataBatch {
        do throws(Fault) {
            return try ODataBatch(reading: Array(root.rawText), contentType: ContentType("application/json"))
        } catch {
            throw error.shifted(by: root.offset)
        }
    }

    /// Reads a body that is neither an error nor a batch.
    ///
    /// - Parameters:
    ///   - content: The object of the body: the root, or what its member `d` wraps.
    ///   - outer: The base of URLs around the body.
    private static func body(
        _ content: JSONNode, of root: JSONNode, _ context: String?, _ builder: inout JSONEntryBuilder,
        base outer: BaseURL?
    ) throws(Fault) -> ODataPayload {
        var base = outer
        if let context {
            if root["odata.metadata"] != nil {
                builder.format = .light3
            }
            base = JSONContext.base(of: base.map { $0.resolve(context) } ?? context) ?? base
            builder.expanded = ExpandedNames(context)
        }
        if builder.format == .verbose, let payload = try verboseBody(content, &builder, base: base) {
            return payload
        }
        if let context, let links = JSONLinks(context: context, version: builder.options.readVersion),
            let url = links.url(of: content)
        {
            return .links([try builder.reference(url, base: base)].compactMap { $0 }, count: nil, nextLink: nil)
        }
        if isNull(content), isEnvelope(content, &builder) {
            return .property(ODataEntry.Property("value", .null), context: context)
        }
        // An entity may have no other property than one of this name.
        if let value = content["value"], value.kind == .array || !(context.map(JSONContext.isOfEntity) ?? false),
            isEnvelope(content, &builder)
        {
            return try valueBody(value, of: content, context, &builder, base: base)
        }
        let expected = builder.expectedType(builder.options.entityType, bodyContext: context)
        // The context of the entry says what its base is, from the one around it.
        let own = try builder.control(.context, of: content)
        return .entry(try builder.entry(content, context: own, expected: expected, base: own == nil ? base : outer))
    }

    /// Reads what a body of verbose JSON may be besides an entity; nil for an entity.
    private static func verboseBody(
        _ content: JSONNode, _ builder: inout JSONEntryBuilder, base: BaseURL?
    ) throws(Fault) -> ODataPayload? {
        if let sets = content["EntitySets"], sets.kind == .array {
            return .service(try verboseService(sets, base: base))
        }
        if let uri = content["uri"], uri.kind == .string, content.members.allSatisfy({ $0.name == "uri" }) {
            return .links([try builder.reference(uri, base: base)].compactMap { $0 }, count: nil, nextLink: nil)
        }
        if let results = content["results"], results.kind == .array, isCollection(content) {
            let stated = try content["__metadata"]?["type"].map { (node) throws(Fault) in
                try builder.statedType(node)
            }
            var property = try bareValue(results, stated: stated, &builder)
            property.page = try JSONEnvelope.page(of: content, base: base)
            return .property(property, context: nil)
        }
        return nil
    }

    /// Reads a body with a member `value`: a service document, or a property.
    private static func valueBody(
        _ value: JSONNode, of content: JSONNode, _ context: String?, _ builder: inout JSONEntryBuilder, base: BaseURL?
    ) throws(Fault) -> ODataPayload {
        if let context, context.hasSuffix("$metadata"), value.kind == .array {
            return .service(try service(value, context, base: base))
        }
        if let context, isDelta(context) || (value.kind == .array && isFeed(context, builder.checker)) {
            // A feed with objects is read entry by entry.
            throw Fault(.invalidJSON, "the elements of a feed must be objects", offset: value.offset)
        }
        var property = try property(value, of: content, context, &builder)
        if value.kind == .array {
            property.page = try JSONEnvelope.page(of: content, base: base)
        }
        return .property(property, context: context)
    }

    /// Whether an object with a member `d` wraps a body of verbose JSON. With other members it is an entity that has
    /// such a property.
    private static func isWrapper(_ root: JSONNode) -> Bool {
        root.members.allSatisfy { $0.name == "d" }
    }

    /// Whether a body has nothing but its error and annotations (OData JSON Format 4.01, 21.1). Any other member makes
    /// it an entity that has a property of that name.
    private static func isErrorAlone(_ root: JSONNode) -> Bool {
        root.members.allSatisfy { member in
            let name = member.name
            return name == "error" || name.writtenBytes.starts(with: "odata.".utf8)
                || name.writtenBytes.contains(UInt8(ascii: "@"))
        }
    }

    private static func isDelta(_ context: String) -> Bool { JSONContext.ends(context, with: "$delta") }

    /// Whether a context URL is that of an entity set of the model, and not of one entity of it.
    private static func isFeed(_ context: String, _ types: PayloadTypes?) -> Bool {
        guard let found = types?.type(ofContext: context), found.isOfSet, found.type.isCollection else { return false }
        return !JSONContext.isOfEntity(context)
    }

    /// Whether the body is a batch of version 4: a list of requests or responses and nothing else but annotations. An
    /// entity that looks like one has a context URL or a declared type with that property.
    private static func isBatch(_ root: JSONNode, _ builder: borrowing JSONEntryBuilder) -> Bool {
        guard builder.format == .v4, let list = root["requests"] ?? root["responses"], list.kind == .array,
            root["@odata.context"] == nil, root["@context"] == nil
        else {
            return false
        }
        let isRequest = root["requests"] != nil
        for member in root.members {
            let isList = member.name == "requests" || member.name == "responses"
            guard isList || member.name.writtenBytes.first == UInt8(ascii: "@") else { return false }
        }
        for item in list.elements {
            guard item["id"] != nil, isRequest ? item["method"] != nil : item["status"] != nil else { return false }
        }
        let name = isRequest ? "requests" : "responses"
        guard let model = builder.options.model, let type = builder.options.entityType else {
            return true
        }
        return model.property(name, of: type) == nil && model.navigation(name, of: type) == nil
    }

    /// Whether a body of verbose JSON has nothing but its results and what describes them.
    private static func isCollection(_ node: JSONNode) -> Bool {
        node.members.allSatisfy { member in
            ["results", "__metadata", "__count", "__next", "__delta"].contains(member.name.string)
        }
    }

    /// Whether a body says that its value is null: up to version 3.0, and in some services of version 4.
    private static func isNull(_ node: JSONNode) -> Bool {
        ["odata.null", "@odata.null", "@null"].contains { node[$0]?.kind == .true }
    }

    /// A value without a name: the result of a service operation in verbose JSON.
    private static func bareValue(
        _ node: JSONNode, stated: StatedType?, _ builder: inout JSONEntryBuilder
    ) throws(Fault) -> ODataEntry.Property {
        ODataEntry.Property(
            "value", try builder.value(node, stated: stated, declared: nil), statedType: stated?.text)
    }

    /// Whether all members but `value` are control information or annotations.
    private static func isEnvelope(_ node: JSONNode, _ builder: inout JSONEntryBuilder) -> Bool {
        for member in node.members where !(member.name == "value") {
            if case .plain = builder.meaning(of: member.name) {
                return false
            }
        }
        return builder.format != .verbose
    }

    private static func property(
        _ value: JSONNode, of envelope: JSONNode, _ context: String?, _ builder: inout JSONEntryBuilder
    ) throws(Fault) -> ODataEntry.Property {
        var stated: StatedType?
        for member in envelope.members {
            switch builder.meaning(of: member.name) {
            case .control(.type), .propertyControl("value", .type): stated = try builder.statedType(member.value)
            default: continue
            }
        }
        if stated == nil, let context, let hash = context.utf8.lastIndex(of: UInt8(ascii: "#")) {
            let fragment = String(context[context.utf8.index(after: hash)...])
            let type = StatedType(fragment)
            if type.primitive != nil {
                stated = type
            }
        }
        let name = JSONContext.propertyName(context)
        let declared = builder.checker?.rootType(named: name, of: builder.options.entityType, context: context)
        return ODataEntry.Property(
            name, try builder.value(value, stated: stated, declared: declared), statedType: stated?.text)
    }

    private static func verboseService(_ sets: JSONNode, base: BaseURL?) throws(Fault) -> ODataPayload.ServiceDocument {
        var document = ODataPayload.ServiceDocument()
        for set in sets.elements {
            guard let name = set.string else {
                throw Fault(.invalidJSON, "the name of an entity set must be a string", offset: set.offset)
            }
            document.sets.append(.init(name: name, url: URLReference(name, base: base)))
        }
        return document
    }

    private static func service(
        _ sets: JSONNode, _ context: String?, base: BaseURL?
    ) throws(Fault) -> ODataPayload.ServiceDocument {
        var document = ODataPayload.ServiceDocument()
        document.context = context
        for set in sets.elements {
            guard let name = set["name"]?.string else {
                throw Fault(.invalidJSON, "a member of the service document has no name", offset: set.offset)
            }
            document.sets.append(
                .init(
                    name: name, title: set["title"]?.string, url: URLReference(set["url"]?.string ?? name, base: base),
                    kind: set["kind"]?.string ?? "EntitySet"))
        }
        return document
    }

    private static func errorBody(_ node: JSONNode) throws(Fault) -> ODataPayload.ErrorBody {
        var body = ODataPayload.ErrorBody()
        func text(_ node: JSONNode?) -> String? {
            guard let node else { return nil }
            if let string = node.string {
                return string
            }
            return node.numberText.map { String(decoding: $0, as: UTF8.self) }
        }
        body.code = text(node["code"]) ?? ""
        if let message = node["message"] {
            body.message = text(message) ?? text(message["value"]) ?? ""
            body.language = message["lang"]?.string
        }
        body.target = text(node["target"])
        // `node` is an object and so has no elements: without details the loop does not run.
        for detail in node["details"]?.elements ?? node.elements {
            var item = ODataPayload.ErrorBody.Detail()
            item.code = text(detail["code"]) ?? ""
            item.message = text(detail["message"]) ?? text(detail["message"]?["value"]) ?? ""
            item.target = text(detail["target"])
            body.details.append(item)
        }
        if let inner = node["innererror"], !inner.isNull {
            body.innerError = inner.value
        }
        return body
    }
}
