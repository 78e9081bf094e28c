import FoundationEssentials
import Platform
import SQLiteAccess
import Soups
import TestSupport

@testable import OfflineStore

/// A store with two soups, one of which has external storage, for tests that copy it.
struct FilledStore {
    /// A text in every entry, which an encrypted file must not have.
    static let marker = "marker-7f31-of-an-entry"

    let setup: StoreFolder
    let store: SmartStore

    init(_ backEnd: BackEnd, entries: Int = 20, _ change: (inout StoreOptions) -> Void = { _ in }) throws {
        setup = try StoreFolder(backEnd)
        store = try setup.open(change)
        try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t"), .json1("j")])
        try store.registerSoup(SoupSpec(name: "x", features: [.externalStorage]), indexSpecs: [.string("k")])
        try store.upsert((1...entries).map(Self.entry), into: "s")
        try store.upsert((1...5).map(Self.entry), into: "x")
    }

    static func entry(_ number: Int) -> [UInt8] {
        #"{"k":"\#(marker) \#(number)","t":"\#(marker) words","j":\#(number)}"#.bytes
    }

    /// Where a copy of the store goes.
    var copy: String { setup.folder.file("copy.db") }

    /// Opens a copy with these options.
    func openCopy(_ key: CopyKey = .same) throws -> SmartStore {
        try SmartStore(path: copy, options: try setup.options().copied(with: key))
    }

    /// Everything that can be read of a store.
    static func contents(_ store: SmartStore) throws -> [String] {
        var lines: [String] = []
        for name in try store.allSoupNames() {
            let soup = try store.soup(name)
            lines.append("\(name) \(soup.spec.features) \(soup.indexSpecs.map { "\($0.path) \($0.type)" })")
            lines += try store.query(.all(pageSize: 10_000), soup: name).currentPage.entries.map {
                String(decoding: $0, as: UTF8.self)
            }
            if !soup.fullTextSpecs.isEmpty {
                lines.append("words: \(try store.count(.match(matchKey: "words"), soup: name))")
            }
        }
        return lines
    }

    /// The paths of the files below a folder that have a text in them.
    static func files(below folder: String, with text: String) throws -> [String] {
        let wanted = Array(text.utf8)
        return try FolderListing(folder).files.filter { file in
            file.value.bytes.map { Array($0).firstRange(of: wanted) != nil } ?? false
        }.keys.sorted()
    }
}
