import Foundation
import TestSupport
import Testing

@testable import Benchmarking
@testable import soup

/// What commands say of input that they cannot use: each case once ended with 0, or with a text of the system's own.
@Suite(.enabled(if: SoupProgram.exists, "the program soup was not built"))
struct CommandMannersTests {
    private let folder: TemporaryFolder
    private let program: BenchProgram

    init() throws {
        folder = try TemporaryFolder()
        program = BenchProgram(folder: folder.path)
    }

    @Test func `the version names commit and libraries`() throws {
        let ended = try program.run(["--version"])
        #expect(ended.code == 0 && ended.output.hasPrefix("soup, commit ") && ended.output.contains("; plain 3."))
        let bare = try program.run([])
        #expect(bare.code == 0 && bare.output.contains("SUBCOMMANDS"))
    }

    @Test(arguments: [("bensh", "did you mean bench?"), ("chek", "did you mean check?"), ("zzz", "soup --help")])
    func `a misspelt command is named with the nearest`(name: String, advice: String) throws {
        let ended = try program.run([name])
        #expect(ended.code == 2 && ended.errors.hasPrefix("Error: there is no command \(name); "))
        #expect(ended.errors.contains(advice))
    }

    @Test(arguments: [
        (["soql", "query", "select"], "there is no command soql query; soup soql --help"),
        (["report", "acept"], "there is no command report acept; did you mean accept?"),
        (["odata", "qery", "app.db"], "there is no command odata qery; did you mean query?"),
    ])
    func `a misspelt command of a command is named with the nearest`(words: [String], advice: String) throws {
        let ended = try program.run(words)
        #expect(ended.code == 2 && ended.errors.contains(advice))
    }

    @Test(arguments: [["soql", "tokens"], ["sync", "up"], ["odata", "eval"], ["report", "accept-builds"]])
    func `a command of a command is known by the name of its type too`(words: [String]) throws {
        let ended = try program.run(words)
        #expect(ended.code == 2 && !ended.errors.contains("there is no command"))
    }

    @Test(arguments: [["check", "--against"], ["check", "--confirm"], ["compare"], ["report", "accept"]])
    func `a folder that holds no run is refused at once, with what to name`(words: [String]) throws {
        let missing = folder.file("nosuch")
        let ended = try program.run(words + [missing] + (words == ["compare"] ? [missing] : []))
        #expect(ended.code == 2)
        #expect(ended.errors.contains("\(missing)/run.json cannot be read: name the folder of a run"))
    }

    @Test func `the doctor makes no folder`() throws {
        let missing = folder.file("nosuch")
        let ended = try program.run(["doctor", "--data-dir", missing])
        #expect(ended.code == 2 && ended.errors.contains("there is no folder \(missing)"))
        #expect(!Folders.exists(missing))
    }

    @Test(arguments: ["SOUP_SQLCIPHER", "SOUP_SQLITE"], ["bench", "check", "doctor", "serve"])
    func `a named library that does not load is an error`(variable: String, command: String) throws {
        let file = folder.file("library.so")
        #expect(TestFile.write(Array("not a library".utf8), to: file))
        let ended = try program.run([command], environment: [variable: file])
        #expect(ended.code == 2 && ended.errors.contains("\(variable) names \(file), which cannot be used"))
        #expect(ended.output.isEmpty)
    }

    @Test func `a filter that matches nothing ends with two`() throws {
        let ended = try program.run(["list", "--filter", "zzz"])
        #expect(ended.code == 2 && ended.errors.contains("no cell and no claim matches zzz") && ended.output.isEmpty)
        #expect(try program.run(["list", "--filter", "control"]).code == 0)
    }

    @Test func `a payload that is not there is a usage error`() throws {
        let ended = try program.run(["odata", "read", folder.file("nosuch.xml")])
        #expect(ended.code == 2 && ended.errors.contains("cannot open the file"))
    }

    @Test func `metadata that is not there is a usage error too`() throws {
        let missing = folder.file("nosuch.xml")
        for words in [
            ["metadata", missing], ["eval", "1 eq 1", "--metadata", missing],
            ["query", "app.db", "people", "--metadata", missing],
            ["edit", folder.file("app.db"), "/dev/null", "--metadata", missing],
        ] {
            let ended = try program.run(["odata"] + words)
            #expect(ended.code == 2 && ended.errors.contains("cannot open the file"), "\(words): \(ended)")
        }
        #expect(try program.run(["odata", "eval", "a gt 1", "[]"]).code == 2)
    }

    @Test func `a store that cannot be asked ends a query with one`() throws {
        let text = folder.file("text.db")
        #expect(TestFile.write([UInt8](repeating: 120, count: 1024), to: text))
        for path in [folder.file("nosuch.db"), text] {
            let ended = try program.run(["odata", "query", path, "people"])
            #expect(ended.code == 1 && ended.output.isEmpty, "\(ended)")
        }
    }

    @Test func `numbers and words that mean nothing are refused`() throws {
        let (store, url) = (folder.file("new.db"), "http://127.0.0.1:9/")
        for words in [
            ["odata", "load", store, "A", url, "--key", "ID", "--page-size", "0"],
            ["odata", "push", store, url, "--key", "ID", "--batch-size", "0"],
            ["odata", "resolve", store, "A", "--key", "ID", "--created-as", "1"],
            ["sync", "down", "--port", "9", "--store", store, "--soup", "a", "--page-size", "5", "select Id from A"],
            ["sync", "resolve", "--store", store, "--soup", "a", "--created-as", "1"],
            // A store at a mistyped path is not made.
            ["odata", "push", store, url, "A", "--key", "ID"], ["odata", "resolve", store, "A", "--key", "ID"],
            ["sync", "up", "--port", "9", "--store", store, "--soup", "a", "--fields", "Name"],
            ["sync", "resolve", "--store", store, "--soup", "a"],
        ] {
            let ended = try program.run(words)
            #expect(ended.code == 2 && ended.errors.hasPrefix("Error: "), "\(words): \(ended)")
            #expect(!Folders.exists(store), "\(words)")
        }
    }

    @Test func `a refusal has no usage of another command, and no password`() throws {
        let ended = try program.run(
            ["odata", "load", folder.file("new.db"), "A", "http://user:SECRETPW@127.0.0.1:9/", "--key", "ID"])
        #expect(ended.code == 2 && ended.errors.hasPrefix("Error: "), "\(ended)")
        #expect(!ended.errors.contains("SECRETPW") && !ended.errors.contains("Usage:"), "\(ended.errors)")
    }

    @Test func `changes that cannot be made end with one, and say which`() throws {
        let (store, changes) = (folder.file("app.db"), folder.file("changes.jsonl"))
        let words = ["--store", store, "--soup", "a"]
        #expect(TestFile.write(Array(#"{"create": {"Name": "x"}}"#.utf8), to: changes))
        #expect(try program.run(["sync", "edit"] + words + [changes]).code == 0)
        let resolved = try program.run(["sync", "resolve"] + words + ["--entry", "1"])
        #expect(resolved.code == 1 && resolved.errors.contains("in doubt"), "\(resolved)")
        let unknown = folder.file("unknown.jsonl")
        #expect(TestFile.write(Array(#"{"update": "nobody", "changes": {"Name": "y"}}"#.utf8), to: unknown))
        let edited = try program.run(["sync", "edit"] + words + [unknown])
        #expect(edited.code == 1 && edited.errors.contains("line 1: no row has this Id"), "\(edited)")
    }

    @Test func `a size that is given twice is measured once`() throws {
        let ended = try program.run(["plan", "--sizes", "50", "50", "--filter", "^exact/"])
        #expect(ended.code == 0 && ended.output.split(separator: "\n").count { $0.contains(",exact/") } == 1)
    }

    /// The reason is in words, not in Foundation's description of its error.
    @Test func `a folder that cannot be made is explained`() throws {
        let file = folder.file("file")
        #expect(TestFile.write([1], to: file))
        let ended = try program.run(program.bench(["--output", file + "/run", "--time-budget", "0.000001"]))
        #expect(ended.code == 2 && ended.errors.contains("the folder \(file)/run cannot be created: "))
        #expect(!ended.errors.contains("Cocoa") && !ended.errors.contains("NSFilePath"), "\(ended.errors)")
    }
}
