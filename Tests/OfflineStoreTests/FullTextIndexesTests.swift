import JSONText
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// Soups whose full-text columns have no ordinary index.
@Suite
struct FullTextIndexesTests {
    private static let specs: [IndexSpec] = [.string("k"), .fullText("t"), .fullText("u")]
    private static let entries = [
        #"{"k":"a","t":"red fox","u":"north"}"#, #"{"k":"b","t":"blue fox"}"#, #"{"k":"c","u":"south"}"#,
    ]

    private func setup(_ backEnd: BackEnd, _ version: FullTextVersion = .fts5) throws -> (StoreFolder, SmartStore) {
        let setup = try StoreFolder(backEnd)
        let store = try setup.open {
            $0.fullTextIndexes = false
            $0.fullTextVersion = version
        }
        try store.registerSoup("notes", indexSpecs: Self.specs)
        try store.upsert(Self.entries.map(\.bytes), into: "notes")
        return (setup, store)
    }

    private func indexes(_ setup: StoreFolder) throws -> [String] {
        try setup.texts(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'TABLE_1' ORDER BY name")
    }

    private static let without = ["TABLE_1_0_idx", "TABLE_1_created_idx", "TABLE_1_lastModified_idx"]
    private static let with = ["TABLE_1_0_idx", "TABLE_1_1_idx", "TABLE_1_2_idx"] + without[1...]

    private func finds(_ store: SmartStore) throws -> [Int] {
        try [
            QuerySpec.exact(path: "t", matchKey: "red fox"), .range(path: "t", from: "blue"),
            .like(path: "t", likeKey: "red%"), .match(path: "t", matchKey: "fox"),
        ].map { try store.count($0, soup: "notes") }
    }

    @Test func `a look-up at a path without an ordinary index is refused, and says what can be done`() throws {
        let setup = try StoreFolder(.plain)
        let store = try setup.open { $0.fullTextIndexes = false }
        try store.registerSoup("s", indexSpecs: [.fullText("t")])
        try store.upsert([#"{"t":"red fox"}"#.bytes], into: "s")
        #expect(try store.count(.exact(path: "t", matchKey: "red fox"), soup: "s") == 1)
        let fault = #expect(throws: Fault.self) {
            try store.lookUp([.text(Array("red fox".utf8))], path: "t", in: "s", selecting: ["t"])
        }
        #expect(fault?.code == .pathNotIndexed && fault?.message.contains("exact") == true)
    }

    @Test(arguments: BackEnd.allCases)
    func `only the indexes over full text are missing, and queries answer the same`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        for version in FullTextVersion.allCases {
            let (setup, store) = try setup(backEnd, version)
            #expect(try indexes(setup) == Self.without)
            #expect(try store.soup("notes").hasFullTextIndexes == false)
            #expect(try finds(store) == [1, 2, 1, 2])
            #expect(try store.entriesOutOfStepWithFullText(soup: "notes") == [])
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `the default is the schema of Mobile SDK`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("notes", indexSpecs: Self.specs)
        #expect(try indexes(setup) == Self.with)
        #expect(try store.soup("notes").hasFullTextIndexes)
    }

    @Test(arguments: BackEnd.allCases)
    func `a soup keeps what it has through every step of an interrupted alteration`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        for last in AlterationStep.allCases {
            let (setup, store) = try setup(backEnd)
            try store.alterSoup("notes", indexSpecs: Self.specs, reIndexData: true, until: last)
            try store.close()
            let again = try setup.open()
            #expect(try indexes(setup) == Self.without, "\(last)")
            #expect(try finds(again) == [1, 2, 1, 2], "\(last)")
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `an alteration that is undone restores what the soup had`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        for last in AlterationStep.allCases where last != .dropOldTable {
            let (setup, store) = try setup(backEnd)
            try store.alterSoup(
                "notes", indexSpecs: Self.specs, reIndexData: true, fullTextIndexes: true, until: last)
            try store.connections.write { (session, _) throws(Fault) in
                let operations = try LongOperation.all(session.connection)
                try Alteration(session: session, id: operations[0].id, progress: nil).undo()
            }
            #expect(try indexes(setup) == Self.without, "\(last)")
            try store.close()
            let again = try setup.open()
            #expect(try finds(again) == [1, 2, 1, 2], "\(last)")
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `an alteration adds the indexes and leaves them out if it is asked to`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        try store.alterSoup("notes", indexSpecs: Self.specs, fullTextIndexes: true)
        #expect(try indexes(setup) == Self.with)
        #expect(try store.soup("notes").hasFullTextIndexes)
        try store.alterSoup("notes", indexSpecs: Self.specs)
        #expect(try indexes(setup) == Self.with)
        try store.alterSoup("notes", indexSpecs: Self.specs, fullTextIndexes: false)
        #expect(try indexes(setup) == Self.without)
        #expect(try finds(store) == [1, 2, 1, 2])
    }

    @Test func `the status row of an alteration has new members only where Mobile SDK could not say it`() throws {
        let (_, store) = try setup(.plain)
        try store.alterSoup("notes", indexSpecs: Self.specs, reIndexData: true, until: .starting)
        try store.connections.write { (session, _) throws(Fault) in
            let details = try LongOperation.all(session.connection)[0].details
            #expect(!details.hadFullTextIndexes && !details.hasFullTextIndexes)
            #expect(details.json["oldFullTextIndexes"]?.bool == false)
        }
        let other = try StoreFolder(.plain)
        let usual = try other.open()
        try usual.registerSoup("notes", indexSpecs: Self.specs)
        try usual.alterSoup("notes", indexSpecs: Self.specs, reIndexData: true, until: .starting)
        try usual.connections.write { (session, _) throws(Fault) in
            let json = try LongOperation.all(session.connection)[0].details.json
            #expect(json["oldFullTextIndexes"] == nil && json["newFullTextIndexes"] == nil)
        }
    }

    @Test func `a change of key keeps them out`() throws {
        let backEnd = BackEnd.cipher
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        try store.rekey(to: Key(raw: Array(repeating: 9, count: 32)))
        #expect(try store.soup("notes").hasFullTextIndexes == false)
        #expect(try finds(store) == [1, 2, 1, 2])
        withExtendedLifetime(setup) {}
    }

    @Test(arguments: BackEnd.allCases)
    func `pages in the order of a full-text path without an index are the same in both directions`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        func pages(_ store: SmartStore, _ order: SortOrder) throws -> [[String]] {
            try store.registerSoup("notes", indexSpecs: Self.specs)
            try store.upsert(
                (0..<1200).map { #"{"k":"\#($0)"\#($0 % 5 == 0 ? "" : ",\"t\":\"fox \($0 % 70)\"")}"#.bytes },
                into: "notes")
            let specs: [QuerySpec] = [
                .all(orderPath: "t", order: order, pageSize: 300),
                .match(path: "t", matchKey: "fox", orderPath: "t", order: order, pageSize: 300),
                .range(path: "t", from: "fox 2", through: "fox 5", orderPath: "t", order: order, pageSize: 300),
            ]
            var pages: [[String]] = []
            for spec in specs {
                let cursor = try store.query(spec, soup: "notes")
                pages.append(cursor.currentPage.entries.map { $0.string })
                while cursor.hasNextPage {
                    pages.append(try cursor.moveToNextPage().entries.map { $0.string })
                }
                while cursor.currentPageIndex > 0 {
                    pages.append(try cursor.moveToPreviousPage().entries.map { $0.string })
                }
            }
            return pages
        }
        for order in [SortOrder.ascending, .descending] {
            let (with, without) = (try StoreFolder(backEnd), try StoreFolder(backEnd))
            let expected = try pages(with.open(), order)
            #expect(expected.count > 10)
            #expect(try pages(without.open { $0.fullTextIndexes = false }, order) == expected)
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var string: String { String(decoding: self, as: UTF8.self) }
}
