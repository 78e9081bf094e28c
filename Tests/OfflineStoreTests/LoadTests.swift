import FoundationEssentials
import JSONText
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// Loading files of entries.
@Suite
struct LoadTests {
    private func file(_ setup: StoreFolder, _ text: String) throws -> String {
        let path = setup.folder.file("entries.jsonl")
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test(arguments: BackEnd.allCases)
    func `blank lines, either line end and a last line without one are all right`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        let path = try file(setup, "{\"k\":\"a\"}\r\n\n  \n{\"k\":\"b\"}\n\t{\"k\":\"c\"} ")
        var heard: [Int] = []
        let done = try store.load(jsonLines: path, into: "s", entriesPerTransaction: 2) { heard.append($0.entries) }
        #expect(done == LoadProgress(entries: 3, lines: 5) && heard == [2, 3])
        #expect(try store.count(.all(), soup: "s") == 3)
        // Loaded again by external id: nothing new.
        try store.load(jsonLines: path, into: "s", externalIdPath: "k")
        #expect(try store.count(.all(), soup: "s") == 3)
    }

    @Test(arguments: BackEnd.allCases)
    func `a broken line is named with its position; inside a transaction nothing of the file is stored`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        for (text, line, offset) in [
            ("{\"k\":1}\n\n{\"k\":2,}\n{}", 3, 16), ("{}\n{\"k\":\"hal", 2, 12), ("{}\n[1]\n", 2, 3),
        ] {
            let path = try file(setup, text)
            do {
                try store.transaction { _ in try store.load(jsonLines: path, into: "s", entriesPerTransaction: 1) }
                Issue.record("a broken line was accepted")
            } catch let fault as Fault {
                #expect(
                    fault.code == .invalidEntry && fault.line == line && fault.offset == offset,
                    "\(fault) line \(fault.line ?? 0)")
            }
            #expect(try store.count(.all(), soup: "s") == 0)
        }
        #expect(faultCode { try store.load(jsonLines: "/nowhere/at all", into: "s") } == .inputOutput)
        #expect(faultCode { try store.load(jsonLines: try file(setup, "{}"), into: "nobody") } == .soupNotFound)
    }

    @Test(arguments: BackEnd.allCases)
    func `a load that fails inside a transaction has changed nothing, and the transaction goes on`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        let broken = try file(setup, "{\"k\":\"a\"}\n{\"k\":\"b\"}\n[3]")
        try store.transaction { transaction in
            try store.upsert([#"{"k":"before"}"#.bytes], into: "s")
            #expect(
                faultCode { try store.load(jsonLines: broken, into: "s", entriesPerTransaction: 1) } == .invalidEntry)
            #expect(try transaction.count(.all(), in: "s") == 1)
            try store.upsert([#"{"k":"after"}"#.bytes], into: "s")
        }
        #expect(try store.count(.all(), soup: "s") == 2)
        #expect(try store.count(.exact(path: "k", matchKey: "a"), soup: "s") == 0)
    }

    /// In a process of its own, because the memory of other tests would hide the result.
    @Test
    func `memory does not grow with the file`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let store = try SmartStore(
                path: folder.file("store.db"), options: StoreOptions(library: BackEnd.plain.library()))
            try await store.registerSoup("s", indexSpecs: [.string("k")])
            func load(_ count: Int) throws -> Int {
                var left = count
                let line = Array(("{\"k\":\"v\",\"t\":\"" + String(repeating: "x", count: 1_500) + "\"}\n").utf8)
                let source = ByteSource { buffer in
                    guard left > 0 else {
                        return 0
                    }
                    left -= 1
                    buffer.copyBytes(from: line)
                    return line.count
                }
                return try store.load(jsonLines: source, into: "s", entriesPerTransaction: 500).entries
            }
            // Fills the caches: 16 MB of pages, and what the runtime takes once.
            guard try load(12_000) == 12_000 else {
                leave(2)
            }
            let before = LoadTests.residentPeak()
            guard try load(24_000) == 24_000 else {
                leave(3)
            }
            let growth = LoadTests.residentPeak() - before
            print("grew by \(growth >> 10) KiB while 36 MB were loaded")
            leave(growth < 8 << 20 ? 0 : 1)
        }
    }

    /// The largest amount of memory that the process has used, in bytes.
    static func residentPeak() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM") })
        else {
            return 0
        }
        return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
    }
}
