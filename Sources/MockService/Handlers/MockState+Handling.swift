import ServiceTransport

extension MockState {
    /// Longer URLs are refused.
    static let longestTarget = 16_384

    /// Calls whose refusals do not name a type that the service does not know.
    private static let singleCalls: Set<MockCall> = [
        .recent, .describe, .layout, .create, .retrieve, .update, .upsert, .delete,
    ]

    /// Answers a request, also one that is refused; faults apart.
    mutating func answer(_ context: MockContext) -> CallAnswer {
        do throws(MockError) {
            return try handle(context)
        } catch {
            return CallAnswer(Self.singleCalls.contains(context.route.call) ? error.ofSingleCall : error)
        }
    }

    /// Answers a request, or a part of a composite one.
    mutating func handle(_ context: MockContext) throws(MockError) -> CallAnswer {
        guard context.request.target.utf8.count <= Self.longestTarget else {
            throw MockError(414, "URI_TOO_LONG", "The URL is longer than \(Self.longestTarget) bytes")
        }
        return switch context.route.call {
        case .query: try query(context)
        case .queryMore: try queryMore(context)
        case .search: try search(context)
        case .recent: try recentRecords(context)
        case .describe: try describe(context)
        case .layout: try layout(context)
        case .create: try createRecord(context)
        case .retrieve: try retrieveRecord(context)
        case .update: try updateRecord(context)
        case .upsert: try upsertRecord(context)
        case .delete: try deleteRecord(context)
        case .composite: try composite(context)
        case .collectionCreate: try createCollection(context)
        case .collectionUpdate: try updateCollection(context)
        case .collectionUpsert: try upsertCollection(context)
        case .collectionDelete: try deleteCollection(context)
        case .collectionRetrieve: try retrieveCollection(context)
        }
    }
}
