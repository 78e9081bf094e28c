import Benchmarking
import OfflineOData
import OfflineStore
import ServiceTransport
import Soups

/// What a push costs here: changes of 1 % of a soup in batches of 100, whose answers are made in memory, against
/// retrieving and upserting the same rows.
enum ODataPushCells: CellSource {
    private static let soup = "Products"
    private static let backends = ["plain", "cipher"]
    private static let entries = "entries"
    private static let push = "push"
    private static let batch = 100

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return [cell(scope.profile.name == .smoke ? 5_000 : 1_000_000)]
    }

    private static func cell(_ rows: Int) -> Cell {
        Cell(
            "odata-push", ["rows": String(rows), "changed": String(rows / 100)], revision: 2,
            summary: "plans and sends \(rows / 100) changed rows of \(rows), in batches of \(batch)",
            arms: backends.flatMap { [Arm($0, entries), Arm($0, push)] },
            comparisons: backends.map { .init(Arm($0, entries), Arm($0, push), sameAnswer: false) }, style: .once,
            primary: .cpu, pairs: 6, profile: .full,
            claims: backends.flatMap { backend in
                [
                    Claim(
                        "OFP-07", "a push costs three times retrieving and upserting its rows", backend: backend,
                        .ratio(base: Arm(backend, entries), arm: Arm(backend, push), atMost: 3)),
                    Claim(
                        "OFP-07", "a push grows the process by less than 32 MB", backend: backend,
                        metric: .memoryGrowth, .cost(arm: Arm(backend, push), atMost: 32_000_000)),
                ]
            }
        ) { arm, workplace in
            let service = ProductService(products: ProductRows(count: rows), isAtom: false)
            let ids = Array(stride(from: Int64(1), through: Int64(rows), by: 100))
            let store = try StorageArm.openCopy(of: "odata-push-\(rows)", arm, workplace) { store in
                try fill(store, service, changing: ids)
            }
            let client = try service.client(store, AgreeingBatches { service.page($0) })
            let isPush = arm.way == push
            return StoreSubject(store, folder: workplace.folder, markers: [ProductRows.marker]) { store, _ in
                isPush ? try pushing(client) : try storing(ids, store)
            } answer: { store, digest in
                digest.add(try store.count(.all(), soup: soup))
            }.countingGrowth()
        }
    }

    /// Loads the entities of a service, and changes some of them.
    private static func fill(_ store: SmartStore, _ service: ProductService, changing ids: [Int64]) throws {
        let client = try service.client(store, AgreeingBatches { service.page($0) })
        let loaded = try WaitingWork.result { try await client.load("Products") }
        if let fault = loaded.fault {
            throw fault
        }
        try store.transaction { _ in
            for id in ids {
                try client.update("Products", .entryId(id), ["Note": "product-bench-marker changed"])
            }
        }
    }

    private static func pushing(_ client: ODataClient) throws -> Int {
        let result = try WaitingWork.result { try await client.push(mode: .batch, batchSize: batch) }
        if let fault = result.fault {
            throw fault
        }
        return result.outcomes.count
    }

    private static func storing(_ ids: [Int64], _ store: SmartStore) throws -> Int {
        for start in stride(from: 0, to: ids.count, by: batch) {
            let part = Array(ids[start..<min(start + batch, ids.count)])
            try store.transaction { _ in _ = try store.upsert(store.retrieve(ids: part, from: soup), into: soup) }
        }
        return ids.count
    }
}

/// Answers reads with pages, and agrees to every part of a batch.
private final class AgreeingBatches: Transport {
    private let pages: MadeAnswers

    init(_ page: @escaping @Sendable (Int) -> [UInt8]) { pages = MadeAnswers(page) }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        guard request.method == "POST" else { return try await pages.send(request) }
        let mark = Array("Content-ID: ".utf8)
        let body = request.body ?? []
        var text = ""
        var start = 0
        while start + mark.count <= body.count {
            guard body[start] == mark[0], body[start..<start + mark.count].elementsEqual(mark) else {
                start += 1
                continue
            }
            start += mark.count
            let id = body[start...].prefix { (0x30...0x39).contains($0) }
            text +=
                "--b\r\nContent-Type: application/http\r\nContent-ID: \(String(decoding: id, as: UTF8.self))\r\n\r\n"
            text += "HTTP/1.1 204 No Content\r\nETag: W/\"2\"\r\n\r\n\r\n"
        }
        return ServiceResponse(
            status: 200, headers: [Pair("Content-Type", "multipart/mixed; boundary=b")],
            body: Array((text + "--b--\r\n").utf8))
    }
}
