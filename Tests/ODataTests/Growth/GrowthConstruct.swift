import JSONText
import OData
import Soups

/// One construct of a grammar, of a payload or of an evaluation, made in any size. `GrowthTests` counts its steps, and
/// `ci/growth` measures its processor time.
struct GrowthConstruct: Sendable {
    /// What is done with a made input.
    enum Work: Sendable {
        case expression(ODataVersion)
        case url(ODataVersion)
        case print(ODataVersion)
        case payload(ODataVersion)
        case typedPayload(ODataVersion, metadata: String)
        case metadata
        /// Evaluates a filter for an entity; what is made is the entity.
        case evaluation(filter: String, ODataVersion)
        /// Evaluates what is made for an entity.
        case filter(entity: String, ODataVersion)
        /// Writes the options of a URL as a query.
        case query(ODataVersion)
        /// Checks a URL against metadata.
        case check(ODataVersion, metadata: String)
        /// Applies options to the JSON objects that are made.
        case run(String)
        /// Writes an update from an object without its first member to the one that is made.
        case change(ODataVersion, ODataChangeRequest.Format)
        /// Decodes an entry as a dictionary.
        case decode
        /// Reads a batch; the boundary is `b`.
        case batch(ODataBatch.Format)
        /// Writes the batch that is made.
        case batchWriting(ODataBatch.Format)
        /// Puts the requests of the batch that is made into one change set.
        case grouping
        /// Finds the answers to the requests of the batch that is made.
        case matching(ODataBatch.Format)
        /// Writes the key that is made as canonical text, of a type that declares its parts or without one.
        case key(isDeclared: Bool)
        /// Writes the URL of an entity with the key that is made.
        case keyURL(isDeclared: Bool)
        /// Sets links to the URLs that are made: one link to all, or a link to each.
        case linking(ODataVersion, ODataChangeRequest.Format, isOne: Bool)
        /// Reads an answer of a media type.
        case answer(type: String)
        /// Writes what is made as an entity of a type `N.T`.
        case writing(ODataVersion, ODataChangeRequest.Format, metadata: String)
    }

    let name: String
    let work: Work
    /// The input of about a number of bytes.
    let make: @Sendable (Int) -> String

    init(_ name: String, _ work: Work, _ make: @escaping @Sendable (Int) -> String) {
        self.name = name
        self.work = work
        self.make = make
    }

    /// A text of repeated pieces with the number of each, joined by a separator.
    init(
        _ name: String, _ work: Work, _ start: String, _ separator: String, _ end: String,
        _ piece: @escaping @Sendable (Int) -> String
    ) {
        self.init(name, work) { size in
            var text = start
            var index = 0
            while text.utf8.count + end.utf8.count < size {
                text += (index > 0 ? separator : "") + piece(index)
                index += 1
            }
            return text + end
        }
    }

    /// What grows faster than n^1.3 is quadratic, or will be.
    static let exponent = 1.3

    static let parsed = expressions + urls + json + atom + metadata + uses + exchange
    static let all = parsed + evaluations

    /// Without the limits that would end a large input.
    static let limits = Limits(
        length: 1 << 26, nodes: 1 << 26, depth: 100, lambdaDepth: 100, expandItems: 1 << 24, steps: 1 << 40,
        resultBytes: 1 << 40, querySteps: 1 << 40)

    /// The entities to which options are applied, as JSON; nil for other work.
    func entities(_ size: Int) -> String? {
        if case .run = work {
            make(size)
        } else {
            nil
        }
    }

    /// Prepares the input and returns the work to measure.
    func prepared(_ size: Int) throws -> () throws -> Void {
        let text = make(size)
        switch work {
        case .expression(let version):
            return { _ = try ODataExpression(parsing: text, version: version, limits: Self.limits) }
        case .url(let version): return { _ = try ODataURL(parsing: text, version: version, limits: Self.limits) }
        case .print(let version):
            let tree = try ODataExpression(parsing: text, version: version, limits: Self.limits)
            return { _ = tree.canonicalText }
        case .payload(let version): return { _ = try Self.payload(text, version, model: nil) }
        case .typedPayload(let version, let metadata):
            let model = try EdmModel(csdl: Array(metadata.utf8))
            return { _ = try Self.payload(text, version, model: model) }
        case .metadata:
            let bytes = Array(text.utf8)
            return { _ = try EdmModel(csdl: bytes) }
        case .query(let version):
            let url = try ODataURL(parsing: text, version: version, limits: Self.limits)
            return { _ = url.options.query }
        case .check(let version, let metadata):
            let model = try EdmModel(csdl: Array(metadata.utf8))
            let url = try ODataURL(parsing: text, version: version, limits: Self.limits)
            return { try url.check(against: model) }
        case .run(let query):
            let runner = try ODataOptionRunner(query, version: .v401, limits: Self.limits)
            let entities = try JSONValue(parsing: text).array ?? []
            return { _ = try runner.apply(to: entities) }
        case .change(let version, let format):
            let properties = try JSONValue(parsing: text).object ?? JSONObject()
            let change = ODataChangeRequest(
                .update, entitySet: "Items", key: 1, properties: properties,
                original: JSONObject(properties.members.dropFirst().map { ($0.name, 0) }), version: version,
                format: format)
            return { _ = try change.body() }
        case .decode:
            guard case .entry(let entry) = try Self.payload(text, .v4, model: nil) else {
                throw Fault(.invalidArguments, "not an entry")
            }
            return { _ = try entry.decode([String: Int].self) }
        case .batch(let format):
            let bytes = Array(text.utf8)
            return { _ = try Self.batch(bytes, format) }
        case .batchWriting(let format):
            let batch = try Self.batch(Array(text.utf8), format)
            return { _ = try batch.request(format: format, boundary: "batch_1", limits: Self.batchLimits) }
        case .grouping:
            let messages = try Self.batch(Array(text.utf8), .multipart).messages.map { ($0, Optional("g")) }
            return { _ = try ODataBatch(grouping: messages, version: .v4) }
        case .matching(let format):
            let batch = try Self.batch(Array(text.utf8), format)
            let answers = batch.answered
            return { _ = try answers.answers(to: batch, format: format) }
        case .key(let isDeclared):
            let value = try JSONValue(parsing: text)
            let model = isDeclared ? try Self.model(keys: value.object?.names ?? []) : nil
            let key = ODataKey(value, model: model, entityType: isDeclared ? "N.T" : nil)
            return { _ = try key.text() }
        case .keyURL(let isDeclared):
            let key = try JSONValue(parsing: text)
            let model = isDeclared ? try Self.model(keys: key.object?.names ?? []) : nil
            let change = ODataChangeRequest(
                .delete, entitySet: "Items", key: key, model: model, entityType: isDeclared ? "N.T" : nil)
            return { _ = try change.url() }
        case .linking(let version, let format, let isOne):
            let targets = (try JSONValue(parsing: text).array ?? []).compactMap(\.string)
            var change = ODataChangeRequest(.update, entitySet: "Items", key: 1, version: version, format: format)
            change.links = isOne ? [.init("N", toAll: targets)] : targets.enumerated().map { .init("N\($0)", to: $1) }
            return { [change] in _ = try change.body() }
        case .answer(let type):
            let body = Array(text.utf8)
            return { _ = try ODataAnswer(status: 200, headers: [("Content-Type", type)], body: body) }
        case .writing(let version, let format, let metadata):
            let model = try EdmModel(csdl: Array(metadata.utf8))
            let writer = ODataEntryWriter(version: version, format: format, model: model, entityType: "N.T")
            let properties = try JSONValue(parsing: text).object ?? JSONObject()
            return { _ = try writer.text(of: properties) }
        case .evaluation, .filter:
            let (evaluator, entity) = try evaluation(text)
            return { _ = try evaluator.value(for: entity) }
        }
    }

    private static var batchLimits: ODataBatch.Limits {
        var limits = ODataBatch.Limits()
        limits.parts = 1 << 24
        limits.headers = 1 << 24
        return limits
    }

    private static func batch(_ bytes: [UInt8], _ format: ODataBatch.Format) throws -> ODataBatch {
        let type = format == .json ? "application/json" : "multipart/mixed; boundary=b"
        return try ODataBatch(reading: bytes, contentType: ContentType(type), limits: batchLimits)
    }

    /// A model of a type `N.T` with a key of these properties.
    private static func model(keys: [String]) throws -> EdmModel {
        let references = keys.map { "<PropertyRef Name=\"\($0)\"/>" }.joined()
        let properties = keys.map { "<Property Name=\"\($0)\" Type=\"Edm.Int64\"/>" }.joined()
        let schema = """
            <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N"><EntityType Name="T"><Key>\
            \(references)</Key>\(properties)</EntityType></Schema>
            """
        return try EdmModel(csdl: Array(schema.utf8))
    }

    private func evaluation(_ text: String) throws -> (ODataEvaluator, JSONValue) {
        switch work {
        case .evaluation(let filter, let version):
            let expression = try ODataExpression(parsing: filter, version: version, limits: Self.limits)
            return (try ODataEvaluator(expression, limits: Self.limits), try JSONValue(parsing: text))
        case .filter(let entity, let version):
            let expression = try ODataExpression(parsing: text, version: version, limits: Self.limits)
            return (try ODataEvaluator(expression, limits: Self.limits), try JSONValue(parsing: entity))
        default: throw Fault(.invalidArguments, "not an evaluation")
        }
    }

    private static func payload(
        _ text: String, _ version: ODataVersion, model: EdmModel?
    ) throws -> ODataPayload {
        var options = PayloadOptions(version: version, model: model, entityType: model == nil ? nil : "N.T")
        options.limits.members = 1 << 24
        return try ODataPayload(reading: Array(text.utf8), options: options)
    }
}

extension ODataBatch {
    /// A batch with an answer to each request of this one.
    fileprivate var answered: ODataBatch {
        func answer(_ request: Message) -> Message {
            Message(.answer(status: 204, reason: ""), contentID: request.contentID)
        }
        var batch = ODataBatch()
        for part in parts {
            switch part {
            case .message(let message): batch.append(answer(message))
            case .changeSet(let changeSet): batch.append(ChangeSet(changeSet.messages.map(answer)))
            }
        }
        return batch
    }
}
