import JSONText
import LoopbackHTTP
import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import ServiceTransport
import Soups
import TestSupport
import Testing

/// The client of Six Bookmarks: loads three bookmarks, changes, adds and deletes without a connection, and sends that.
@Suite struct SixBookmarksScenario {
    @Test(arguments: BackEnds.available, [["Ordinal"], []])
    func `bookmarks are changed offline and pushed, in process`(backEnd: BackEnd, mergesBy: [String]) async throws {
        let service = Self.service()
        try await play(service, service, backEnd, mergesBy)
    }

    @Test(arguments: BackEnds.available)
    func `bookmarks are changed offline and pushed, over HTTP`(backEnd: BackEnd) async throws {
        let service = Self.service()
        let server = try LoopbackServer { request in
            LoopbackAnswer(service.handle(request) ?? ServiceResponse(status: 503))
        }
        defer { server.stop() }
        try await play(service, LoopbackTransport(port: server.port), backEnd, ["Ordinal"])
    }

    private static func service() -> BookmarkService {
        BookmarkService([
            1001: .init(ordinal: 1, name: "A", url: "http://a"), 1002: .init(ordinal: 2, name: "B", url: nil),
            1003: .init(ordinal: 3, name: "C", url: "http://c"),
        ])
    }

    private func play(
        _ service: BookmarkService, _ transport: any Transport, _ backEnd: BackEnd, _ mergesBy: [String]
    ) async throws {
        let folder = try TemporaryFolder()
        let key = backEnd.isKeyed ? try BackEnds.key() : nil
        let store = try SmartStore(
            path: folder.file("six.db"), options: StoreOptions(library: try backEnd.library(), key: key))
        defer { try? store.close() }
        var settings = EntitySetSettings()
        settings.mergesBy = mergesBy
        let map = try EntitySetMap(
            model: EdmModel(csdl: Array(BookmarkService.metadata.utf8)), version: .v2, sets: ["Bookmark": settings])
        var options = ODataClientOptions()
        options.format = .atom
        let client = try ODataClient(
            store, serviceRoot: "http://six.example/svc/", transport: transport, map: map, options: options)
        let view = "$filter=__locally_deleted__ eq false&$orderby=Ordinal"

        let first = try await client.load("Bookmark", query: "$select=BookmarkId,Ordinal,Name,Url")
        #expect(first.status == .done)
        #expect(try names(client, view) == ["A", "B", "C"])

        // Without a connection.
        try await client.update("Bookmark", .key(1001), ["Name": "A2", "Url": nil])
        try await client.create("Bookmark", ["Ordinal": 4, "Name": "D", "Url": nil])
        try await client.delete("Bookmark", .key(1002))
        #expect(try names(client, view) == ["A2", "C", "D"])
        _ = service.takeLog()

        // The service goes away after the first change.
        service.answerOnly(mergesBy.isEmpty ? 1 : 2)
        let cut = try await client.push()
        #expect(cut.status == .failed)
        #expect(cut.outcomes.first?.kind == .done)

        service.answerOnly(nil)
        for doubt in try await client.doubts() {
            try await client.resolveDoubt("Bookmark", entryId: doubt.entryId, createdAs: nil)
        }
        let pushed = try await client.push()
        #expect(pushed.status == .done)
        let log = service.takeLog()
        let changes = log.lines.filter { !$0.hasPrefix("GET") }
        // A change set of the first push is not sent again.
        #expect(changes.filter { $0 == "MERGE /svc/Bookmark(1001)" }.count == 1)
        #expect(Set(changes).contains("POST /svc/Bookmark"))
        #expect(changes.last == "DELETE /svc/Bookmark(1002)")
        for body in log.bodies {
            #expect(!body.contains("UserId") && !body.contains("BookmarkId") && !body.contains("__local"))
            #expect(body.contains(#"<d:Url m:null="true"/>"#))
        }

        #expect(try await client.pending().isEmpty)
        #expect(service.bookmarks[1001] == .init(ordinal: 1, name: "A2", url: nil))
        #expect(service.bookmarks[1002] == nil)
        #expect(service.bookmarks.count == 3)
        let second = try await client.load("Bookmark", query: "$select=BookmarkId,Ordinal,Name,Url", mode: .full)
        #expect(second.status == .done)
        #expect(try names(client, view) == ["A2", "C", "D"])
    }

    private func names(_ client: ODataClient, _ query: String) throws -> [String] {
        try client.query("Bookmark", query).page.map { row in
            try JSONValue(parsing: row)["Name"]?.string ?? ""
        }
    }
}
