import JSONText
import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import ServiceTransport
import Soups
import TestSupport
import Testing

/// Pushes of tasks that are cancelled. The service could create an entity twice, so that a creation without an answer
/// is held; one that was not sent is not.
@Suite struct PushCancellationTests {
    @Test(arguments: [PushMode.single, .batch])
    func `a push that is cancelled before its first request sends nothing and holds nothing`(
        mode: PushMode
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try SmartStore(
            path: folder.file("six.db"), options: StoreOptions(library: try BackEnd.plain.library()))
        defer { try? store.close() }
        let service = BookmarkService([:])
        let map = try EntitySetMap(
            model: EdmModel(csdl: Array(BookmarkService.metadata.utf8)), version: .v2,
            sets: ["Bookmark": EntitySetSettings()])
        var options = ODataClientOptions()
        options.format = .atom
        options.boundary = { "b" }
        let client = try ODataClient(
            store, serviceRoot: "http://six.example/svc/", transport: service, map: map, options: options)
        try await client.create("Bookmark", ["Ordinal": 1, "Name": "A", "Url": nil])

        let cancelled = try await withThrowingTaskGroup(of: PushResult.self) { group in
            group.cancelAll()
            group.addTask { try await client.push(mode: mode) }
            return try await group.next()
        }
        #expect(cancelled?.status == .stopped)
        #expect(cancelled?.outcomes.map(\.kind) == [.waits])
        #expect(service.takeLog().lines.isEmpty)
        #expect(try await client.doubts().isEmpty)
        #expect(try await client.pending().map(\.isInDoubt) == [false])

        let pushed = try await client.push(mode: .single)
        #expect(pushed.status == .done)
        #expect(service.bookmarks.values.map(\.name) == ["A"])
    }
}
