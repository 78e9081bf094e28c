import OfflineOData
import ServiceTransport
import Soups
import Synchronization

/// The service of the book's Six Bookmarks: one set in Atom of version 2.0, read and written with texts alone.
final class BookmarkService: Transport {
    struct Bookmark: Sendable, Hashable {
        var ordinal: Int
        var name: String
        var url: String?
    }

    private struct State {
        var bookmarks: [Int: Bookmark] = [:]
        var lines: [String] = []
        var bodies: [String] = []
        /// The number of requests that are still answered; nil for all.
        var remaining: Int?
    }

    private let state = Mutex(State())

    static let metadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices>
        <Schema Namespace="Six" xmlns="http://schemas.microsoft.com/ado/2008/09/edm"><EntityType Name="Bookmark"><Key>
        <PropertyRef Name="BookmarkId"/></Key><Property Name="BookmarkId" Type="Edm.Int32" Nullable="false"/>
        <Property Name="UserId" Type="Edm.Int32"/><Property Name="Ordinal" Type="Edm.Int32"/>
        <Property Name="Name" Type="Edm.String" MaxLength="128"/><Property Name="Url" Type="Edm.String" MaxLength="256"/>
        </EntityType><EntityContainer Name="C"><EntitySet Name="Bookmark" EntityType="Six.Bookmark"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    init(_ bookmarks: [Int: Bookmark]) { state.withLock { $0.bookmarks = bookmarks } }

    var bookmarks: [Int: Bookmark] { state.withLock { $0.bookmarks } }

    /// Goes away after some requests.
    func answerOnly(_ count: Int?) { state.withLock { $0.remaining = count } }

    /// The methods and URLs, and the bodies, since this was last called.
    func takeLog() -> (lines: [String], bodies: [String]) {
        state.withLock { state in
            defer { (state.lines, state.bodies) = ([], []) }
            return (state.lines, state.bodies)
        }
    }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        guard let response = handle(request) else {
            throw TransportFailure.notSent("the service is away")
        }
        return response
    }

    /// The answer to a request; nil if the service is away.
    func handle(_ request: ServiceRequest) -> ServiceResponse? {
        state.withLock { state in
            if let remaining = state.remaining {
                guard remaining > 0 else { return nil }
                state.remaining = remaining - 1
            }
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            state.lines.append("\(request.method) \(request.path)")
            if !body.isEmpty {
                state.bodies.append(body)
            }
            let key = request.path.split(separator: "(").last.flatMap { Int($0.dropLast()) }
            switch request.method {
            case "GET":
                let entries = state.bookmarks.sorted { $0.key < $1.key }.map { Self.entry($0.key, $0.value) }
                return Self.atom(200, Self.feed(entries.joined()))
            case "POST":
                let new = (state.bookmarks.keys.max() ?? 1000) + 1
                let bookmark = Self.merged(Bookmark(ordinal: 0, name: "", url: nil), body)
                state.bookmarks[new] = bookmark
                return Self.atom(201, Self.entry(new, bookmark, isRoot: true))
            case "MERGE":
                guard let key, let bookmark = state.bookmarks[key] else { return ServiceResponse(status: 404) }
                state.bookmarks[key] = Self.merged(bookmark, body)
                return ServiceResponse(status: 204)
            default:
                guard let key, state.bookmarks.removeValue(forKey: key) != nil else {
                    return ServiceResponse(status: 404)
                }
                return ServiceResponse(status: 204)
            }
        }
    }

    private static let namespaces =
        #"xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" "#
        + #"xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices""#

    private static func feed(_ entries: String) -> String { "<feed \(namespaces)>\(entries)</feed>" }

    private static func entry(_ key: Int, _ bookmark: Bookmark, isRoot: Bool = false) -> String {
        let url = bookmark.url.map { "<d:Url>\($0)</d:Url>" } ?? #"<d:Url m:null="true"/>"#
        return "<entry \(isRoot ? namespaces : "")><id>http://six.example/svc/Bookmark(\(key))</id>"
            + #"<content type="application/xml"><m:properties><d:BookmarkId m:type="Edm.Int32">\#(key)</d:BookmarkId>"#
            + #"<d:Ordinal m:type="Edm.Int32">\#(bookmark.ordinal)</d:Ordinal><d:Name>\#(bookmark.name)</d:Name>"#
            + "\(url)</m:properties></content></entry>"
    }

    private static func atom(_ status: Int, _ text: String) -> ServiceResponse {
        ServiceResponse(
            status: status, headers: [Pair("Content-Type", "application/atom+xml")], body: Array(text.utf8))
    }

    /// A bookmark with the properties of a body put in.
    private static func merged(_ bookmark: Bookmark, _ body: String) -> Bookmark {
        var result = bookmark
        if let ordinal = text("Ordinal", in: body).flatMap({ Int($0) }) {
            result.ordinal = ordinal
        }
        result.name = text("Name", in: body) ?? result.name
        result.url = text("Url", in: body) ?? (body.contains("<d:Url m:null=\"true\"") ? nil : result.url)
        return result
    }

    private static func text(_ name: String, in body: String) -> String? {
        let parts = body.split(separator: "</d:\(name)>", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let start = parts[0].lastIndex(of: ">") else { return nil }
        return String(parts[0][parts[0].index(after: start)...])
    }
}
