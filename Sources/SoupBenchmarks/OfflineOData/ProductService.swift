import OData
import OfflineOData
import OfflineStore
import ServiceTransport
import Soups

/// A service of products: its metadata, the answers of its pages, and a client for it.
struct ProductService: Sendable {
    static let pageSize = 2_000
    static let root = "http://bench.example/svc/"

    let products: ProductRows
    let isAtom: Bool

    var version: ODataVersion { isAtom ? .v2 : .v4 }
    var pages: Int { (products.count + Self.pageSize - 1) / Self.pageSize }

    func model() throws(Fault) -> EdmModel {
        let namespace =
            isAtom ? "http://schemas.microsoft.com/ado/2008/09/edm" : "http://docs.oasis-open.org/odata/ns/edm"
        let fields = (0..<14).map { "<Property Name=\"Field\($0)\" Type=\"Edm.String\"/>" }.joined()
        let text =
            "<Schema Namespace=\"N\" xmlns=\"\(namespace)\"><EntityType Name=\"P\"><Key><PropertyRef Name=\"ID\"/></Key>"
            + "<Property Name=\"ID\" Type=\"Edm.Int32\" Nullable=\"false\"/><Property Name=\"Name\" Type=\"Edm.String\"/>"
            + "<Property Name=\"Note\" Type=\"Edm.String\"/>\(fields)</EntityType><EntityContainer Name=\"C\">"
            + "<EntitySet Name=\"Products\" EntityType=\"N.P\"/></EntityContainer></Schema>"
        return try EdmModel(csdl: Array(text.utf8))
    }

    func client(_ store: SmartStore, _ transport: any Transport) throws(Fault) -> ODataClient {
        var options = ODataClientOptions()
        options.format = isAtom ? .atom : .json
        return try ODataClient(
            store, serviceRoot: Self.root, transport: transport,
            map: try EntitySetMap(
                model: try model(), version: version, sets: ["Products": EntitySetSettings()]), options: options)
    }

    /// The body of the page with a number; the one after the last is the answer to a link to changes.
    ///
    /// - Parameter changed: Whether an entity has another text than at first.
    func page(_ number: Int, changed: Bool = false) -> [UInt8] {
        let range = number * Self.pageSize..<min((number + 1) * Self.pageSize, products.count)
        return body(range, next: range.upperBound < products.count ? number + 1 : nil, changed: changed)
    }

    /// The body of an answer with some of the entities that have changed.
    func delta(_ count: Int) -> [UInt8] {
        let step = max(1, products.count / count)
        return body(
            stride(from: 0, to: products.count, by: step).prefix(count), next: nil, changed: true)
    }

    private func body(_ numbers: some Sequence<Int>, next: Int?, changed: Bool) -> [UInt8] {
        if isAtom {
            let data = "http://schemas.microsoft.com/ado/2007/08/dataservices"
            let link = next.map { "<link rel=\"next\" href=\"Products?page=\($0)\"/>" } ?? ""
            return Array(
                ("<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:d=\"\(data)\" xmlns:m=\"\(data)/metadata\" xml:base=\"\(Self.root)\">"
                    + numbers.map { entry($0) }.joined() + link + "</feed>").utf8)
        }
        let link =
            next.map { ",\"@odata.nextLink\":\"Products?page=\($0)\"" } ?? ",\"@odata.deltaLink\":\"Products?delta\""
        return Array(
            ("{\"@odata.context\":\"\(Self.root)$metadata#Products\",\"value\":["
                + numbers.map { "{\"@odata.etag\":\"W/\\\"1\\\"\",\(members($0, changed: changed))}" }.joined(
                    separator: ",")
                + "]\(link)}").utf8)
    }

    private func entry(_ number: Int) -> String {
        var text =
            "<entry><id>\(Self.root)Products(\(number + 1))</id><content type=\"application/xml\"><m:properties>"
        text += "<d:ID m:type=\"Edm.Int32\">\(number + 1)</d:ID><d:Name>\(products.name(number))</d:Name>"
        text += "<d:Note>product-bench-marker \(number)</d:Note>"
        for field in 0..<14 {
            text += "<d:Field\(field)>\(Self.text(number, field))</d:Field\(field)>"
        }
        return text + "</m:properties></content></entry>"
    }

    /// The members of an entity in JSON of version 4.
    private func members(_ number: Int, changed: Bool) -> String {
        var text =
            "\"ID\":\(number + 1),\"Name\":\"\(products.name(number))\",\"Note\":\"product-bench-marker \(changed ? -number : number)\""
        for field in 0..<14 {
            text += ",\"Field\(field)\":\"\(Self.text(number, field))\""
        }
        return text
    }

    private static func text(_ number: Int, _ field: Int) -> String {
        "product \(1_000_000 + number) and some more text \(field)"
    }
}
