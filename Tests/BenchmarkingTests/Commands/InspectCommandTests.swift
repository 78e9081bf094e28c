import Foundation
import JSONText
import OfflineStore
import Platform
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import soup

/// `soup inspect`, run as a user would: APP-60, 61 and 63.
@Suite struct InspectCommandTests {
    private func closed(_ backEnd: BackEnd = .plain) throws -> InspectedFolder {
        let inspected = try InspectedFolder()
        try inspected.make(backEnd).close()
        return inspected
    }

    @Test func `the overview has names, counts and sizes, and no value of an entry`() throws {
        let inspected = try closed()
        let ended = try inspected.inspect(["--format", "json"])
        #expect(ended.code == 0, "\(ended.errors)")
        let json = try JSONValue(parsing: ended.output)
        #expect(json["encrypted"] == .bool(false))
        #expect(json["schemaVersion"] == 3)
        #expect(json["pendingOperations"] == 0)
        let soups = try #require(json["soups"]?.array)
        #expect(soups.map { $0["name"] } == ["people", "scans"])
        #expect(soups.map { $0["indexes"] } == [3, 1] && soups.map { $0["entries"] } == [30, 3])
        #expect(soups.allSatisfy { ($0["bytes"]?.int64 ?? 0) >= 8192 })
        #expect(json["lastChange"]?.string?.hasPrefix("20") == true)
        for format in ["table", "jsonl", "csv"] {
            let other = try inspected.inspect(["--format", format])
            #expect(
                other.code == 0 && other.output.contains("people") && !other.output.contains(InspectedFolder.marker))
        }
        // A folder that holds one store will do.
        let folder = try inspected.shell("\(SoupProgram.path) inspect \(inspected.folder.path) overview --format csv")
        #expect(folder.code == 0 && folder.output.contains("soup people,30\nbytes of people,"))
    }

    @Test func `each word prints what it says, in each format`() throws {
        let inspected = try closed()
        let lines: [(words: [String], contains: String)] = [
            (["soups"], #"{"soup":"people","entries":30,"indexes":3,"features":""}"#),
            (
                ["soups", "people"],
                #""path":"age","type":"integer","column":"TABLE_1_1","module":null,"different":5,"missing":0"#
            ),
            (["soups", "people"], #""module":"fts5""#),
            (["count", "people"], #"{"count":30}"#),
            (
                ["count", "people", "--where", #"{"queryType":"exact","indexPath":"age","matchKey":"2"}"#],
                #"{"count":6}"#
            ),
            (["show", "people", "--id", "7"], #""name":"name 7""#),
            (["show", "scans", "--limit", "1"], #""name":"name 1""#),
            (
                ["show", "people", "--query", #"{"queryType":"match","indexPath":"note","matchKey":"17"}"#],
                #""name":"name 17""#
            ),
            (
                ["sql", "select {people:name} from {people} where {people:age} = ? limit 1", "--arg", "2"],
                #"{"name":"name 2"}"#
            ),
            (["sql", "select count(*) as n from soup_attrs", "--raw"], #"{"n":2}"#),
            (
                ["sql", "select 1 as a, 2 as a, null as b, 1.5 as c, x'00ff' as d", "--raw"],
                #"{"a":1,"a_2":2,"b":null,"c":1.5,"d":{"base64":"AP8="}}"#
            ),
            (["sql", "select 1 as a, 2 as a, 3 as a_2", "--raw"], #"{"a":1,"a_3":2,"a_2":3}"#),
            (["sql", "select ? as a", "--raw", "--arg", "7"], #"{"a":7}"#),
            (["sizes"], #"{"kind":"soup","name":"people","entries":30,"#),
            (["settings"], #"{"setting":"page_size","value":"4096"}"#),
            (
                ["export", "people", "--without-system-fields"],
                #"{"name":"name 30","age":0,"note":"marker-of-an-entry 30"}"#
            ),
        ]
        for (words, expected) in lines {
            let ended = try inspected.inspect(words + ["--format", "jsonl"])
            #expect(ended.code == 0, "\(words): \(ended.errors)")
            #expect(ended.output.contains(expected), "\(words): \(ended.output.prefix(300))")
        }
        // The store is in WAL mode, and without a -wal the file does not tell that to SQLite.
        #expect(try !inspected.inspect(["settings", "--format", "jsonl"]).output.contains(#""value":"delete""#))
        for words in [["pending"], ["syncs"], ["check"]] {
            let ended = try inspected.inspect(words + ["--format", "jsonl"])
            #expect(ended.code == 0 && ended.output.isEmpty, "\(words): \(ended.output)")
        }
        let json = try inspected.inspect(["sql", "select {people:name} from {people}", "--format", "json"])
        #expect(try JSONValue(parsing: json.output).array?.count == 30)
        let csv = try inspected.inspect(["sql", "select 'a,b' as x, 'c\"d' as y", "--raw", "--format", "csv"])
        #expect(csv.output == "x,y\n\"a,b\",\"c\"\"d\"\n")
        let table = try inspected.inspect(["soups", "--format", "table"])
        #expect(
            table.output.hasPrefix("soup    entries  indexes  features\n------  -------  -------  ---------------\n"))
        let pretty = try inspected.inspect(["show", "people", "--id", "1", "--pretty"])
        #expect(pretty.output.contains("\n  \"name\": \"name 1\""))
        let lineCount = try inspected.inspect(["show", "people"]).output.split(separator: "\n").count
        #expect(lineCount == 20)
    }

    @Test func `an export goes to a new file for its owner only`() throws {
        let inspected = try closed()
        let path = inspected.folder.file("people.jsonl")
        let ended = try inspected.inspect(["export", "people", "--output", path], changes: true)
        #expect(ended.code == 0 && ended.output.isEmpty)
        #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 30)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try inspected.inspect(["export", "people", "--output", path]).code == 2)
    }

    @Test func `controls in stored data do not reach a terminal`() throws {
        let inspected = try InspectedFolder()
        let store = try inspected.make(.plain)
        try store.upsert([Array("{\"name\":\"\u{9B}31m\u{202E}\u{7F}\",\"note\":\"\\u001b[2J\"}".utf8)], into: "scans")
        try store.upsert([Array("{\"name\":\"\u{9B}31m\u{202E}\u{7F}\\u001b\"}".utf8)], into: "people")
        try store.close()
        let runs = [
            ["show", "scans", "--id", "4"], ["show", "people", "--id", "31", "--pretty"], ["export", "people"],
            ["sql", "select {people:name} from {people} where {people:_soupEntryId} = 31", "--format", "table"],
            ["sql", "select {people:name} from {people} where {people:_soupEntryId} = 31", "--format", "json"],
        ]
        for words in runs where words[0] != "export" {
            let output = try inspected.inspect(words).output
            #expect(output.contains("31m"))
            let controls = output.unicodeScalars.filter {
                ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}"
            }
            #expect(controls.isEmpty, "\(words)")
        }
    }

    @Test func `the controls of stored data are escaped in CSV, and line breaks and tabs stay`() throws {
        let inspected = try closed()
        let text = "char(27) || '[2J' || char(155, 127) || 'a' || char(9) || 'b' || char(10) || 'c'"
        let csv = try inspected.inspect(["sql", "select \(text) as x", "--raw", "--format", "csv"])
        #expect(csv.output == "x\n\"\\u{1b}[2J\\u{9b}\\u{7f}a\tb\nc\"\n", "\(csv.output)")
    }

    @Test func `an entry with line breaks between its tokens is one line of JSON`() throws {
        let inspected = try InspectedFolder()
        let store = try inspected.make(.plain)
        try store.registerSoup("lines", indexSpecs: [.string("zip")])
        try store.upsert([Array("{\"zip\":\t\"01234\",\r\n\"b\":2}".utf8)], into: "lines")
        try store.close()
        for words in [["show", "lines"], ["sql", "select {lines:_soup} from {lines}"]] {
            let ended = try inspected.inspect(words + ["--format", "jsonl"])
            let lines = ended.output.split(separator: "\n")
            #expect(lines.count == 1 && ended.code == 0, "\(ended.output)")
            #expect(throws: Never.self) { try JSONValue(parsing: String(lines.first ?? "")) }
        }
        // Digits after a zero are not a number of JSON.
        let found = try inspected.inspect(
            ["sql", "select count(*) as n from {lines} where {lines:zip} = ?", "--arg", "01234"])
        #expect(found.output == "{\"n\":1}\n")
    }

    @Test func `entries are shown in the format that is named`() throws {
        let inspected = try closed()
        let words = ["show", "people", "--limit", "2"]
        let json = try inspected.inspect(words + ["--format", "json"])
        #expect(try JSONValue(parsing: json.output).array?.count == 2)
        let pretty = try inspected.inspect(words + ["--format", "json", "--pretty"])
        #expect(try JSONValue(parsing: pretty.output).array?.count == 2)
        #expect(try inspected.inspect(["show", "people", "--id", "99", "--format", "json"]).output == "[]\n")
        let csv = try inspected.inspect(words + ["--format", "csv"])
        #expect(csv.output.hasPrefix("id,entry\n1,\"{\"\"name\"\":\"\"name 1\"\""), "\(csv.output)")
        let table = try inspected.inspect(words + ["--format", "table"])
        #expect(table.output.hasPrefix("id  entry") && table.output.split(separator: "\n").count == 4)
        #expect(try inspected.inspect(words + ["--format", "csv", "--pretty"]).code == 2)
    }

    @Test func `a result that cannot be written is no usage error`() throws {
        let inspected = try closed()
        for words in ["show people", "export people", "soups", "--format json", "check --format csv"] {
            let full = try inspected.shell("$soup \(words) > /dev/full")
            #expect(full.code == 3 && full.errors.contains("[diskFull]"), "\(words): \(full.code) \(full.errors)")
            let gone = try inspected.shell("$soup \(words) >&-")
            #expect(gone.code == 3 && gone.errors.contains("[inputOutput]"), "\(words): \(gone.code) \(gone.errors)")
        }
    }

    @Test func `an export of a soup that is not there leaves no file`() throws {
        let inspected = try closed()
        let path = inspected.folder.file("nobody.jsonl")
        for more in [[], ["--salvage"]] {
            let ended = try inspected.inspect(["export", "nobody", "--output", path] + more)
            #expect(ended.code == 2 && !FileManager.default.fileExists(atPath: path), "\(ended.errors)")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a pipe or a device is refused at once`() throws {
        let inspected = try InspectedFolder()
        let pipe = inspected.folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, "/dev/zero"] {
            let ended = try inspected.shell("timeout 20 \(SoupProgram.path) inspect \(path)", changes: true)
            #expect(ended.code == 3 && ended.errors.contains("[notADatabase]"), "\(ended.code) \(ended.errors)")
            let query = try inspected.shell(
                "timeout 20 \(SoupProgram.path) odata query \(path) people", changes: true)
            #expect(query.code == 1 && query.errors.contains("notADatabase"), "\(query.code) \(query.errors)")
        }
    }

    @Test func `a key in the arguments is refused and not repeated`() throws {
        let inspected = try closed()
        for words in [
            ["--key", "SECRET"], ["check", "--key", "SECRET"], ["show", "people", "--passphrase=SECRET", "x"],
        ] {
            let ended = try inspected.inspect(words)
            #expect(ended.code == 2 && !ended.errors.contains("SECRET"), "\(ended.errors)")
            #expect(ended.errors.contains("--key-file"), "\(ended.errors)")
        }
    }

    @Test func `what cannot be asked is a usage error, and nothing can be written`() throws {
        let inspected = try closed()
        let refused: [[String]] = [
            ["nonsense"], ["count"], ["count", "missing"], ["show", "people", "--query", "{"], ["check", "people"],
            ["sql", "select {nobody:name} from {nobody}"], ["sql", "delete from TABLE_1", "--raw"],
            ["sql", "attach database '/tmp/x' as y", "--raw"], ["sql", "pragma writable_schema = on", "--raw"],
            ["sql", "update {people} set x = 1"], ["--format", "xml"], ["--cipher", "best"], ["kv"],
            ["sql", "select load_extension('x')", "--raw"], ["--live", "--ignore-wal"],
            ["sql", "select ?", "--raw"], ["sql", "select 1", "--raw", "--arg", "1"], ["soups", "--output", "/tmp/x"],
        ]
        for words in refused {
            let ended = try inspected.inspect(words)
            #expect(ended.code == 2, "\(words): \(ended.code) \(ended.output) \(ended.errors)")
            #expect(ended.output.isEmpty && ended.errors.hasPrefix("Error: "), "\(words): \(ended.errors)")
        }
        let unknown = try inspected.inspect(["sql", "select {nobody:name} from {nobody}"])
        #expect(unknown.errors.contains("(soup \"nobody\", at byte 7)"), "\(unknown.errors)")
        let missing = try inspected.shell("\(SoupProgram.path) inspect \(inspected.path)-missing")
        #expect(missing.code == 3 && missing.errors.contains("[storeNotFound]"))
    }

    // MARK: - Stores in use

    @Test(arguments: [BackEnd.plain, .cipher])
    func `a store that another process has open is refused, and read with --live`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let inspected = try InspectedFolder()
        let store = try inspected.make(backEnd, key: backEnd.isKeyed ? try BackEnds.key() : nil)
        let key = try backEnd.isKeyed ? ["--key-file", inspected.keyFile((0..<32).map { 7 + UInt8($0) })] : []
        let before = try inspected.digests()
        let refused = try inspected.inspect(["count", "people"] + key, changes: true)
        #expect(try inspected.digests() == before)
        #expect(refused.code == 3 && refused.errors.contains("--live [busy]"), "\(refused.errors)")
        #expect(refused.errors.split(separator: "\n").count == 1 && !refused.errors.contains("readsInPlace"))
        let ignoring = try inspected.inspect(["count", "people", "--ignore-wal"] + key, changes: true)
        #expect(ignoring.code == 3 && ignoring.errors.contains("--live [busy]"), "\(ignoring.errors)")
        try store.upsert([InspectedFolder.entry(31)], into: "people")
        let live = try inspected.inspect(["count", "people", "--live", "--format", "csv"] + key, changes: true)
        #expect(live.code == 0 && live.output == "count\n31\n", "\(live.errors)")
        try store.upsert([InspectedFolder.entry(32)], into: "people")
        #expect(try store.count(.all(), soup: "people") == 32)
    }

    @Test(arguments: [BackEnd.plain, .cipher])
    func `what a crash left in the -wal is read, or left out`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let live = try InspectedFolder()
        let store = try live.make(backEnd, key: backEnd.isKeyed ? try BackEnds.key() : nil)
        try store.reopen()
        try store.upsert([InspectedFolder.entry(31)], into: "people")
        let crashed = try InspectedFolder()
        for suffix in ["", "-wal", "_external_soup_blobs"] {
            try FileManager.default.copyItem(atPath: live.path + suffix, toPath: crashed.path + suffix)
        }
        try store.close()
        let key = try backEnd.isKeyed ? ["--key-file", crashed.keyFile((0..<32).map { 7 + UInt8($0) })] : []
        let whole = try crashed.inspect(["count", "people", "--format", "csv"] + key)
        #expect(whole.code == 0 && whole.output == "count\n31\n", "\(whole.errors)")
        #expect(whole.errors.contains("-wal"))
        let without = try crashed.inspect(["count", "people", "--format", "csv", "--ignore-wal"] + key)
        #expect(without.code == 0 && without.output == "count\n30\n", "\(without.errors)")
        let scans = try crashed.inspect(["show", "scans", "--ignore-wal"] + key)
        #expect(scans.code == 0 && scans.output.split(separator: "\n").count == 3, "\(scans.errors)")
    }

    @Test func `a store in a folder that cannot be written is read by another user`() throws {
        let inspected = try closed()
        let listing = try FolderListing(inspected.folder.path)
        try listing.setRights(files: 0o444, folders: 0o555)
        defer { try? listing.setRights(files: 0o644, folders: 0o755) }
        let user = geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : ""
        let ended = try inspected.shell(user + "$soup check --format csv")
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.errors.contains("nothing is damaged"))
    }

    @Test func `an unfinished transaction is undone in a private copy only`() throws {
        let inspected = try InspectedFolder()
        try inspected.make(.plain) { $0.settings.journalMode = .delete }.close()
        let connection = try BackEnd.plain.connect(inspected.path, settings: ConnectionSettings(journalMode: .delete))
        try connection.execute(
            "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE TABLE_1 SET soup = '{}', TABLE_1_0 = NULL")
        let crashed = try InspectedFolder()
        for suffix in ["", "-journal", "_external_soup_blobs"] {
            try FileManager.default.copyItem(atPath: inspected.path + suffix, toPath: crashed.path + suffix)
        }
        try connection.execute("ROLLBACK")
        connection.close()
        // A file that no entry names is for the next opening of the store itself.
        try File.create(crashed.path + "_external_soup_blobs/TABLE_2/soupelt_900_900")
        let ended = try crashed.inspect(["show", "people", "--id", "1"])
        #expect(ended.code == 0 && ended.output.contains("name 1"), "\(ended.errors)")
    }

    @Test func `a key-value store shows its keys`() throws {
        let inspected = try InspectedFolder()
        let values = try KeyValueStore(
            path: inspected.path, options: StoreOptions(library: BackEnd.plain.library()))
        try values.set("dark", for: "appearance")
        try values.set([UInt8](repeating: 1, count: 200_000), for: "photo")
        try values.close()
        let keys = try inspected.inspect(["kv", "--format", "jsonl"])
        #expect(keys.code == 0, "\(keys.errors)")
        #expect(keys.output.contains(#"{"key":"appearance","bytes":4,"#))
        #expect(keys.output.contains(#"{"key":"photo","bytes":200000,"#))
        let overview = try inspected.inspect(["--format", "json"])
        #expect(try JSONValue(parsing: overview.output)["keys"] == 2)
        #expect(!overview.output.contains("dark"))
    }
}
