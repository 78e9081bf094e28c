import JSONText
import OfflineStore
import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

/// Cursors and removal by query.
@Suite
struct CursorTests {
    private func logbook(_ backEnd: BackEnd, days: Int = 11) throws -> SmartStore {
        let store = try StoreFolder(backEnd).open()
        try store.registerSoup("logbook", indexSpecs: [.integer("day"), .string("watch"), .fullText("note")])
        try store.upsert(
            (1...days).map {
                "{\"day\":\($0),\"watch\":\"\(["middle", "dog", "first"][($0 - 1) % 3])\",\"note\":\"wind \($0)\"}"
                    .bytes
            }, into: "logbook")
        return store
    }

    private func days(_ page: StorePage) throws -> [Int64?] {
        try page.entries.map { try JSONValue(parsing: Array($0))["day"]?.int64 }
    }

    @Test(arguments: BackEnd.allCases)
    func `forward, back and jump; moves beyond the ends fail`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try logbook(backEnd)
        let cursor = try store.query(.all(orderPath: "day", pageSize: 4), soup: "logbook")
        #expect(cursor.cursorId == 1)
        #expect(try cursor.totalEntries == 11 && cursor.totalPages == 3)
        #expect(try days(cursor.currentPage) == [1, 2, 3, 4])
        #expect(faultCode { try cursor.moveToPreviousPage() } == .firstPage)
        #expect(try days(cursor.moveToNextPage()) == [5, 6, 7, 8])
        #expect(try days(cursor.moveToNextPage()) == [9, 10, 11])
        #expect(faultCode { try cursor.moveToNextPage() } == .lastPage)
        #expect(try days(cursor.moveToPreviousPage()) == [5, 6, 7, 8])
        #expect(try days(cursor.moveToPage(99)) == [9, 10, 11] && cursor.currentPageIndex == 2)
        #expect(try days(cursor.moveToPage(-3)) == [1, 2, 3, 4])
        cursor.close()
        #expect(faultCode { try cursor.moveToNextPage() } == .invalidCursor)
        #expect(try store.query(.all(), soup: "logbook").cursorId == 2)
    }

    @Test(arguments: BackEnd.allCases)
    func `pages show the store as it is at the move; totals stay, and a removed page does not stop the walk`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let store = try logbook(backEnd)
        let cursor = try store.query(.all(orderPath: "day", pageSize: 4), soup: "logbook")
        #expect(try cursor.totalEntries == 11)
        try store.upsert([#"{"day":12}"#.bytes, #"{"day":4.5}"#.bytes], into: "logbook")
        #expect(try days(cursor.moveToNextPage()).count == 4)
        #expect(cursor.currentPage.entries.first.map { String(decoding: $0, as: UTF8.self).contains("4.5") } == true)
        #expect(try cursor.totalEntries == 11)
        try store.remove(matching: .range(path: "day", from: 4, through: 8), from: "logbook")
        #expect(try days(cursor.moveToNextPage()) == [9, 10, 11, 12])
        try store.clearSoup("logbook")
        #expect(try cursor.moveToPreviousPage().count == 0)
        #expect(try cursor.moveToPreviousPage().count == 0)
    }

    @Test(arguments: BackEnd.allCases)
    func `totals are counted when they are first asked for, and stay`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try logbook(backEnd)
        let open = try store.query(.all(orderPath: "day", pageSize: 4), soup: "logbook")
        let whole = try store.query(.all(orderPath: "day", pageSize: 11), soup: "logbook")
        let unasked = try store.query(.all(orderPath: "day", pageSize: 4), soup: "logbook")
        try store.upsert([#"{"day":12}"#.bytes], into: "logbook")
        #expect(open.hasNextPage && !whole.hasNextPage)
        #expect(try open.totalEntries == 12 && open.totalPages == 3)
        // The first page showed all matches there were.
        #expect(try whole.totalEntries == 11 && whole.totalPages == 1)
        try store.clearSoup("logbook")
        #expect(try open.totalEntries == 12)
        unasked.close()
        #expect(faultCode { _ = try unasked.totalEntries } == .invalidCursor)
        #expect(faultCode { _ = try unasked.totalPages } == .invalidCursor)
        #expect(try store.query(.all(), soup: "logbook").totalPages == 0)
    }

    @Test(arguments: BackEnd.allCases)
    func `a walk without totals ends behind the last entry, whether the last page is full or not`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let store = try logbook(backEnd, days: 12)
        let orders: [(QuerySpec) -> QuerySpec] = [
            { $0 },
            { spec in
                var spec = spec
                spec.order = .descending
                return spec
            },
        ]
        for pageSize in [1, 3, 4, 5, 11, 12, 13, Int.max] {
            for order in orders {
                for spec in [
                    QuerySpec.all(orderPath: "day", pageSize: pageSize),
                    .like(path: "watch", likeKey: "%i%", orderPath: "watch", pageSize: pageSize),
                    .like(path: "watch", likeKey: "m%", orderPath: "day", pageSize: pageSize),
                    .match(path: "note", matchKey: "wind", pageSize: pageSize),
                    .match(path: "note", matchKey: "wind", orderPath: "watch", pageSize: pageSize),
                ] {
                    let spec = order(spec)
                    let cursor = try store.query(spec, soup: "logbook")
                    var walked = try days(cursor.currentPage)
                    while cursor.hasNextPage {
                        let page = try cursor.moveToNextPage()
                        #expect(page.count > 0)
                        walked += try days(page)
                    }
                    #expect(faultCode { try cursor.moveToNextPage() } == .lastPage)
                    #expect(try walked.count == store.count(spec, soup: "logbook") && Set(walked).count == walked.count)
                    let pages = cursor.currentPageIndex + 1
                    while cursor.currentPageIndex > 0 {
                        try cursor.moveToPreviousPage()
                        #expect(cursor.hasNextPage)
                    }
                    #expect(try cursor.totalEntries == walked.count && cursor.totalPages == pages)
                }
            }
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `a page by index beyond the last becomes the last one, also before totals are known`(_ backEnd: BackEnd) throws
    {
        try backEnd.skipIfMissing()
        let store = try logbook(backEnd)
        func cursor() throws -> StoreCursor {
            try store.query(.all(orderPath: "day", pageSize: 4), soup: "logbook")
        }
        let inside = try cursor()
        #expect(try days(inside.moveToPage(2)) == [9, 10, 11] && !inside.hasNextPage)
        #expect(try days(inside.moveToPage(1)) == [5, 6, 7, 8] && inside.hasNextPage)
        for index in [3, 1_000_000, Int.max / 4, Int.max] {
            let beyond = try cursor()
            #expect(try days(beyond.moveToPage(index)) == [9, 10, 11] && beyond.currentPageIndex == 2)
        }
        #expect(try days(cursor().moveToPage(.min)) == [1, 2, 3, 4])
    }

    @Test(arguments: BackEnd.allCases)
    func `a page runs no count; asking for the totals runs one`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let operations = Mutex<[StoreEvent.Operation]>([])
        let setup = try StoreFolder(backEnd)
        var options = try setup.options()
        options.events = { event in operations.withLock { $0.append(event.operation) } }
        let store = try SmartStore(path: setup.path, options: options)
        try store.registerSoup("s", indexSpecs: [.integer("n")])
        try store.upsert((1...20).map { "{\"n\":\($0)}".bytes }, into: "s")
        operations.withLock { $0 = [] }
        let cursor = try store.query(.range(path: "n", from: 2, orderPath: "n", pageSize: 5), soup: "s")
        try cursor.moveToNextPage()
        #expect(try cursor.totalEntries == 19 && cursor.totalPages == 4 && cursor.totalEntries == 19)
        #expect(operations.withLock { $0 } == [.query, .query, .count])
    }

    @Test
    func `totals are counted on a thread of the store too`() async throws {
        let store = try logbook(.plain)
        let cursor = try await store.query(.all(orderPath: "day", pageSize: 4), soup: "logbook")
        #expect(try await cursor.countEntries() == 11)
        #expect(try cursor.totalPages == 3)
    }

    @Test(arguments: BackEnd.allCases)
    func `selected paths give rows, and JSON of pages keeps every value`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try logbook(backEnd, days: 2)
        let cursor = try store.query(
            .all(orderPath: "day", order: .descending, selectPaths: ["day", "watch", "day", "_soupEntryId"]),
            soup: "logbook")
        #expect(cursor.currentPage.json.string == #"[[2,"dog",2,2],[1,"middle",1,1]]"#)
        #expect(
            try store.query(.exact(path: "day", matchKey: 1), soup: "logbook").currentPage.json.string.hasPrefix(
                #"[{"day":1,"#))
    }

    @Test(arguments: BackEnd.allCases)
    func `removal by query removes every match, whatever the page size, from the full text too`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let store = try logbook(backEnd)
        #expect(
            try store.remove(
                matching: .match(path: "note", matchKey: "wind", orderPath: "day", pageSize: 1), from: "logbook") == 11)
        #expect(try store.count(.all(), soup: "logbook") == 0)
        #expect(try store.count(.match(matchKey: "wind"), soup: "logbook") == 0)
        try store.upsert((1...3).map { "{\"day\":\($0)}".bytes }, into: "logbook")
        #expect(
            try store.remove(
                matching: .smart("select {logbook:_soupEntryId} from {logbook} where {logbook:day} > 1"),
                from: "logbook") == 2)
        #expect(
            faultCode { _ = try store.query(.exact(path: "nothing", matchKey: 1), soup: "logbook") } == .pathNotIndexed)
    }

    @Test(arguments: BackEnd.allCases)
    func `Smart SQL gives rows, with entries where they are asked for, and reads nothing but soups`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let store = try logbook(backEnd)
        let text =
            "select {logbook:day}, {logbook:_soup}, {logbook:watch} from {logbook} where {logbook:day} > ? order by {logbook:day}"
        let cursor = try store.runSmartQuery(.smart(text, pageSize: 2), arguments: [.integer(8)])
        #expect(try cursor.totalEntries == 3 && cursor.totalPages == 2)
        #expect(try cursor.moveToNextPage().json.string.hasPrefix(#"[[11,{"day":11,"#))
        #expect(try cursor.moveToPreviousPage().count == 2)
        #expect(try store.count(.smart(text), arguments: [.integer(10)]) == 1)
        func code(_ text: String, _ arguments: [SQLValue] = []) -> Fault.Code? {
            faultCode { _ = try store.runSmartQuery(.smart(text), arguments: arguments) }
        }
        #expect(code(text) == .argumentsMismatch)
        #expect(code("select * from soup_attrs") == .sqlError)
        #expect(code("select * from sqlite_master") == .sqlError)
        #expect(code("select * from TABLE_1_fts") == .sqlError)
        #expect(code("delete from {logbook}") == .notASelect)
        #expect(code("select {nobody:x} from {nobody}") == .soupNotFound)
        #expect(try store.runSmartQuery(.smart("select count(*) from TABLE_1")).currentPage.json.string == "[[11]]")
        do {
            _ = try store.runSmartQuery(.smart("select {logbook:day} from {logbook} where nonsense = 1"))
            Issue.record("an unknown column was accepted")
        } catch {
            #expect(error.code == .sqlError && error.offset == 42)
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `explain names the index, or the scan, and notices an index that was dropped without the store`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("logbook", indexSpecs: [.integer("day"), .string("watch"), .fullText("note")])
        let exact = QuerySpec.exact(path: "watch", matchKey: "dog", orderPath: "watch")
        #expect(try store.explain(exact, soup: "logbook").uses == [QueryPlan.Use(soupName: "logbook", path: "watch")])
        #expect(try store.explain(exact, soup: "logbook").scans.isEmpty)
        #expect(
            try store.explain(.match(path: "note", matchKey: "wind", orderPath: "day"), soup: "logbook").uses.contains(
                QueryPlan.Use(soupName: "logbook", path: "note")))
        #expect(
            try store.explain(.like(path: "watch", likeKey: "%o%", orderPath: "watch"), soup: "logbook").scans == [
                "logbook"
            ])
        #expect(
            try store.explain(.smart("select e.{logbook:day} from {logbook} e where e.{logbook:day} = 3")).uses == [
                QueryPlan.Use(soupName: "logbook", path: "day")
            ])
        try setup.look { try $0.execute("DROP INDEX TABLE_1_1_idx") }
        #expect(try store.explain(exact, soup: "logbook").scans == ["logbook"])
    }

    @Test(arguments: BackEnd.allCases)
    func `a cursor goes on after its soup was altered, and fails when it was removed`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try logbook(backEnd)
        let cursor = try store.query(.all(orderPath: "day", pageSize: 4), soup: "logbook")
        try store.alterSoup("logbook", indexSpecs: [.string("watch"), .string("note"), .integer("day")])
        #expect(try days(cursor.moveToNextPage()) == [5, 6, 7, 8])
        try store.removeSoup("logbook")
        #expect(faultCode { try cursor.moveToNextPage() } == .soupNotFound)
    }

    @Test
    func `the pages of a cursor are an asynchronous sequence`() async throws {
        let store = try logbook(.plain)
        var seen: [Int64?] = []
        let cursor = try await store.query(.all(orderPath: "day", pageSize: 3), soup: "logbook")
        for try await page in cursor.pages {
            seen += try days(page)
        }
        #expect(seen == (1...11).map { $0 })
    }

    @Test(arguments: BackEnd.allCases)
    func `a page continues from its last row, whatever the rows before it had as keys: none, short, long or empty`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).open()
        try store.registerSoup("notes", indexSpecs: [.string("k")])
        let keys = [
            "null", "\"\"", "\"a\"", "\"\(String(repeating: "b", count: 300))\"", "\"c\"",
            "\"\(String(repeating: "d", count: 700))\"", "\"e\"",
        ]
        try store.upsert((keys + keys.reversed()).map { #"{"k":\#($0)}"#.bytes }, into: "notes")
        for size in 1...5 {
            let whole = try store.query(.all(orderPath: "k", pageSize: 100), soup: "notes").currentPage.entries.map(
                Array.init)
            let cursor = try store.query(.all(orderPath: "k", pageSize: size), soup: "notes")
            var walked = cursor.currentPage.entries.map(Array.init)
            while cursor.hasNextPage {
                walked += try cursor.moveToNextPage().entries.map(Array.init)
            }
            #expect(walked == whole, "pages of \(size)")
            var back = [try cursor.moveToPage(cursor.totalPages - 1).entries.map(Array.init)]
            while cursor.currentPageIndex > 0 {
                back.insert(try cursor.moveToPreviousPage().entries.map(Array.init), at: 0)
            }
            #expect(Array(back.joined()) == whole, "pages of \(size), backwards")
            #expect(try JSONValue(parsing: cursor.currentPage.json).array?.count == min(size, whole.count))
        }
    }
}
