public import JSONText
import ServiceTransport
import Soups

/// Gets the records of one type that the user worked with last. Each run brings all of them.
public struct MRUTarget: DownTarget {
    private static let sliceCount = 500

    private let fields: TargetFields
    private let objectType: String
    private let given: [String]

    init(_ reader: DefinitionReader) throws(Fault) {
        fields = try TargetFields(reader)
        objectType = try reader.requiredName("sobjectType")
        given = try reader.requiredNames("fieldlist")
    }

    public var idField: String { fields.id }
    public var modificationField: String { fields.modification }
    public var json: JSONObject {
        fields.json([
            ("type", "mru"), ("sobjectType", .string(objectType)),
            ("fieldlist", .array(given.map(JSONValue.string))),
        ])
    }

    /// What is left of a run: the ids of the pages to come, and the link within a slice.
    private struct Rest {
        let ids: ArraySlice<RecordId>
        let link: NextLink?
        let total: Int?
    }

    public func start(_ context: DownContext, since bound: Int64) async throws -> DownPage? {
        let ids = try await recentIds(context)
        guard !ids.isEmpty else { return nil }
        let total = try slices(context).length(of: ids) < ids.count ? ids.count : nil
        return try await page(context, Rest(ids: ids[...], link: nil, total: total))
    }

    public func next(_ context: DownContext, after page: DownPage) async throws -> DownPage? {
        guard let rest = page.continuation as? Rest else { return nil }
        return try await self.page(context, rest)
    }

    private func page(_ context: DownContext, _ rest: Rest) async throws -> DownPage {
        var remaining = rest.ids
        let answer: CallAnswer
        if let link = rest.link {
            answer = try await context.follow(link)
        } else {
            let slices = slices(context)
            let slice = remaining.prefix(try slices.length(of: remaining))
            remaining = remaining.dropFirst(slice.count)
            answer = try await context.rows(of: slices.query(slice))
        }
        let form = RecordForm(idField: fields.id, modificationField: fields.modification)
        var page = try QueryAnswer.page(answer, form, after: rest.link)
        let link = page.continuation as? NextLink
        page.total = rest.total ?? page.total
        page.isLast = link == nil && remaining.isEmpty
        page.continuation = page.isLast ? nil : Rest(ids: remaining, link: link, total: rest.total)
        return page
    }

    private func slices(_ context: DownContext) -> IdSlices {
        IdSlices(
            count: Self.sliceCount,
            head:
                "select \(fields.completing(given).joined(separator: ", ")) from \(objectType) where \(fields.id) IN (",
            context: context)
    }

    /// The ids of the recent records, in their order, each once.
    private func recentIds(_ context: DownContext) async throws -> [RecordId] {
        let request = ServiceRequest(
            method: "GET", path: context.basePath + "/sobjects/" + PercentEncoding.encoded(objectType),
            headers: ServiceCalls.headers)
        let answer = CallAnswer(request: request, bytes: try await context.succeed(request, isData: false).body)
        return try answer.read { (bytes) throws(Fault) in
            try PageReader.reading(bytes) { (root) throws(WrongForm) in
                guard root.kind == .object, let items = root["recentItems"], items.kind == .array else {
                    throw WrongForm("the answer has no array of recent items")
                }
                var seen: Set<RecordId> = []
                return items.elements.compactMap { item in
                    guard let text = item["Id"]?.string, !text.isEmpty else { return nil }
                    let id = RecordId(text)
                    return seen.insert(id).inserted ? id : nil
                }
            }
        }
    }

    public func remoteIds(_ context: DownContext, _ take: @Sendable ([RecordId]) throws -> Void) async throws {
        try await LivingIds(context, soup: context.soup, idField: fields.id, objectType: objectType).give(
            count: Self.sliceCount, take)
    }
}
