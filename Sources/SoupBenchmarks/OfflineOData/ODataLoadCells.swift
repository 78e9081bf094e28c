import Benchmarking
import OData
import OfflineOData
import OfflineStore
import Soups

/// What a load costs beyond storing its rows: pages of 2,000 entities of 1 KB, whose answers are ready in memory,
/// against upserts of the same stored bytes in transactions of 2,000; and what changes and a refresh without any cost.
enum ODataLoadCells: CellSource {
    private static let soup = "Products"
    private static let backends = ["plain", "cipher"]
    private static let upsert = "upsert"
    private static let load = "load"
    private static let read = "read"

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        let entities = scope.profile.name == .smoke ? 4_000 : 100_000
        return [true, false].flatMap { isAtom in
            [first(entities, isAtom: isAtom), memory(entities, isAtom: isAtom)]
        } + [changes(entities), refresh(entities)]
    }

    private static func service(_ entities: Int, isAtom: Bool = false) -> ProductService {
        ProductService(products: ProductRows(count: entities), isAtom: isAtom)
    }

    /// The rows of a load, without the fields of the store.
    private static func stored(_ store: SmartStore, _ ids: [Int64]) throws -> [[UInt8]] {
        try store.retrieve(ids: ids, from: soup).map { row in
            let members = try JSONValue(parsing: row).object?.members.filter { !$0.name.hasPrefix("_soup") } ?? []
            return JSONValue.object(JSONObject(members.map { ($0.name, $0.value) })).bytes()
        }
    }

    private static func claim(_ id: String, _ statement: String, base: String, arm: String, atMost: Double) -> [Claim] {
        backends.map {
            Claim(id, statement, backend: $0, .ratio(base: Arm($0, base), arm: Arm($0, arm), atMost: atMost))
        }
    }

    // MARK: - OFP-05

    private static func first(_ entities: Int, isAtom: Bool) -> Cell {
        Cell(
            "odata-load", ["entities": String(entities), "format": isAtom ? "atom" : "json"], revision: 1,
            summary: "loads \(entities) entities of 1 KB into an empty soup",
            arms: backends.flatMap { [Arm($0, upsert), Arm($0, load)] },
            comparisons: backends.map { .init(Arm($0, upsert), Arm($0, load), sameAnswer: false) }, style: .once,
            primary: .cpu, pairs: 6, profile: .full,
            claims: claim(
                "OFP-05", "a load costs 1.4 times upserting the same stored bytes", base: upsert, arm: load,
                atMost: 1.4)
        ) { arm, workplace in
            let service = service(entities, isAtom: isAtom)
            let bodies = (0..<service.pages).map { service.page($0) }
            let store = try StorageArm.open(arm, in: workplace.folder)
            let pages = try prepared(store, service, bodies)
            let client = try service.client(store, ReadyAnswers(bodies))
            let isLoad = arm.way == load
            return StoreSubject(store, folder: workplace.folder, markers: [ProductRows.marker]) { store, _ in
                guard isLoad else {
                    for page in pages {
                        try store.upsert(page, into: soup, externalIdPath: "__key__")
                    }
                    return entities
                }
                return try loading(client)
            } answer: { store, digest in
                digest.add(try store.count(.all(), soup: soup))
            }
        }
    }

    /// Loads a set and empties its soup again. Returns what was stored, page by page.
    private static func prepared(
        _ store: SmartStore, _ service: ProductService, _ bodies: [[UInt8]]
    ) throws -> [[[UInt8]]] {
        _ = try loading(try service.client(store, ReadyAnswers(bodies)))
        let count = service.products.count
        let pages = try stride(from: 1, through: count, by: ProductService.pageSize).map { start in
            try stored(store, (start..<min(start + ProductService.pageSize, count + 1)).map { Int64($0) })
        }
        try store.clearSoup(soup)
        return pages
    }

    /// Loads the set in full, and returns the number of entities. Throws what made it fail.
    private static func loading(_ client: ODataClient, _ mode: LoadMode = .full) throws -> Int {
        let result = try WaitingWork.result { try await client.load("Products", mode: mode) }
        if let fault = result.fault {
            throw fault
        }
        return result.summary.entities
    }

    private static func memory(_ entities: Int, isAtom: Bool) -> Cell {
        let arms = backends.map { Arm($0) }
        return Cell(
            "odata-load-memory", ["entities": String(entities), "format": isAtom ? "atom" : "json"], revision: 1,
            summary: "loads \(entities) entities of 1 KB, in pages of \(ProductService.pageSize), into an empty soup",
            arms: arms, comparisons: [.init(arms[0], arms[1])], style: .once, primary: .memoryGrowth, pairs: 6,
            profile: .full,
            claims: arms.map { arm in
                Claim(
                    "OFP-05", "a load of 100,000 entities grows the process by less than 32 MB", backend: arm.name,
                    metric: .memoryGrowth, .cost(arm: arm, atMost: 32_000_000))
            }
        ) { arm, workplace in
            let service = service(entities, isAtom: isAtom)
            let store = try StorageArm.open(arm, in: workplace.folder)
            let client = try service.client(store, MadeAnswers { service.page($0) })
            return StoreSubject(store, folder: workplace.folder, markers: [ProductRows.marker]) { _, _ in
                try loading(client)
            } answer: { store, digest in
                digest.add(try store.count(.all(), soup: soup))
            }.countingGrowth()
        }
    }

    // MARK: - OFP-06

    private static func changes(_ entities: Int) -> Cell {
        let count = entities / 100
        return Cell(
            "odata-load-changes", ["entities": String(entities), "changes": String(count)], revision: 1,
            summary: "loads \(count) changes into a soup of \(entities) entities of 1 KB",
            arms: backends.flatMap { [Arm($0, upsert), Arm($0, load)] },
            comparisons: backends.map { .init(Arm($0, upsert), Arm($0, load), sameAnswer: false) }, style: .once,
            primary: .cpu, pairs: 6, profile: .full,
            claims: claim(
                "OFP-06", "loading changes costs 1.5 times upserting their rows", base: upsert, arm: load, atMost: 1.5)
        ) { arm, workplace in
            let service = service(entities)
            let bodies = (0..<service.pages).map { service.page($0) } + [service.delta(count)]
            let store = try StorageArm.open(arm, in: workplace.folder)
            let client = try service.client(store, ReadyAnswers(bodies))
            _ = try loading(client)
            let ids = stride(from: Int64(1), through: Int64(entities), by: max(1, entities / count)).prefix(count)
            let rows = try stored(store, Array(ids))
            let isLoad = arm.way == load
            return StoreSubject(store, folder: workplace.folder, markers: [ProductRows.marker]) { store, _ in
                guard isLoad else {
                    try store.upsert(rows, into: soup, externalIdPath: "__key__")
                    return rows.count
                }
                return try loading(client, .delta)
            } answer: { store, digest in
                digest.add(try store.count(.all(), soup: soup))
            }
        }
    }

    private static func refresh(_ entities: Int) -> Cell {
        Cell(
            "odata-load-refresh", ["entities": String(entities)], revision: 1,
            summary:
                "loads \(entities) entities of which none has changed, against reading the feed and looking each up",
            arms: backends.flatMap { [Arm($0, read), Arm($0, load)] },
            comparisons: backends.map { .init(Arm($0, read), Arm($0, load), sameAnswer: false) }, style: .once,
            primary: .cpu, pairs: 6, profile: .full,
            claims: claim(
                "OFP-06", "a refresh without changes costs 1.3 times reading and looking up", base: read, arm: load,
                atMost: 1.3)
        ) { arm, workplace in
            let service = service(entities)
            let bodies = (0..<service.pages).map { service.page($0) }
            let store = try StorageArm.open(arm, in: workplace.folder)
            let client = try service.client(store, ReadyAnswers(bodies + bodies))
            _ = try loading(client)
            let model = try service.model()
            let isLoad = arm.way == load
            return StoreSubject(store, folder: workplace.folder, markers: [ProductRows.marker]) { store, _ in
                isLoad ? try loading(client) : try reading(bodies, store, model)
            } answer: { store, digest in
                digest.add(try store.count(.all(), soup: soup))
            }
        }
    }

    /// Parses the pages, and looks up the entry of each entity by its key, 200 at a time.
    private static func reading(_ bodies: [[UInt8]], _ store: SmartStore, _ model: EdmModel) throws -> Int {
        var count = 0
        var keys: [SQLValue] = []
        func lookUp() throws {
            _ = try store.lookUp(keys, path: "__key__", in: soup, selecting: ["_soup"])
            keys = []
        }
        for body in bodies {
            var reader = ODataPayloadReader(
                options: PayloadOptions(version: .v4, baseURL: ProductService.root, model: model, entityType: "N.P"))
            try body.withUnsafeBytes { try reader.append($0) }
            try reader.finish()
            reading: while true {
                switch try reader.next() {
                case .entry(let entry):
                    count += 1
                    keys.append(.text(entry["ID"]?.canonicalText ?? ""))
                    if keys.count == 200 {
                        try lookUp()
                    }
                case .link, .needsInput: continue
                case .end: break reading
                }
            }
        }
        try lookUp()
        return count
    }
}
