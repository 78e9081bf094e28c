import FoundationEssentials
import TestSupport
import Testing

/// Runs `soup conform` as a user does.
@Suite struct ConformCommandTests {
    private static let vectors = TestData.packageRoot + "/Corpora/first-steps.json"

    private func run(_ arguments: [String]) throws -> (code: Int32, output: String) {
        let folder = try TemporaryFolder()
        let ended = try BenchProgram(folder: folder.path).run(["conform"] + arguments)
        return (ended.code, ended.output)
    }

    @Test func `list has a case in each line`() throws {
        let all = try run(["--list", "--format", "csv", Self.vectors])
        #expect(all.code == 0)
        #expect(all.output.hasPrefix("id,area,level,requires,unnamed,title,file\nfirst-hello,first-steps,core,"))
        #expect(try run(["--list", "--filter", "remove$", Self.vectors]).output.split(separator: "\n").count == 2)
        #expect(try run(["--list", "--filter", "nothing-like-it", Self.vectors]).code == 2)
    }

    @Test func `every format has the results`() throws {
        let arguments = ["--backend", "plain", "--jobs", "2", Self.vectors, "--format"]
        for (format, part) in [
            ("text", "plain: 10 cases in"), ("markdown", "Nothing is red."),
            ("csv", "first-hello,first-steps,plain,pass"),
            ("json", "\"first-hello\""), ("junit", "<testsuite name=\"soup conform\" tests=\"10\" failures=\"0\""),
        ] {
            let ended = try run(arguments + [format])
            #expect(ended.code == 0 && ended.output.contains(part), "\(format): \(ended.output)")
        }
    }

    @Test func `coverage says what is missing`() throws {
        let ended = try run(["coverage", TestData.packageRoot + "/Corpora"])
        #expect(ended.code == 0)
        #expect(ended.output.contains("error code   notADatabase"))
        #expect(!ended.output.contains("error code   soupNotFound"))
        #expect(ended.output.contains("\nquery kind: 6 of 6 covered"))
        #expect(try run(["coverage", TestData.packageRoot + "/Tests"]).code == 2)
    }

    @Test func `matrix list and comparison are made of a run`() throws {
        let folder = try TemporaryFolder()
        let script = folder.file("refuser.py")
        let text = """
            import json, sys
            for line in sys.stdin:
                request = json.loads(line)
                answer = {"id": request["id"], "fails": {"code": "unsupported"}}
                if request["call"] in ("hello", "reset"):
                    answer = {"id": request["id"], "returns": {"name": "refuser", "version": "<1>", "format": 1, "capabilities": []}}
                print(json.dumps(answer), flush=True)
            """
        try Data(text.utf8).write(to: URL(filePath: script))
        let driver = ["--driver", "python3 " + script]
        guard try run(driver + ["--filter", "first-hello", Self.vectors]).code == 0 else {
            try Test.cancel("python3 is not here")
        }
        let list = folder.file("refuser.csv")
        let page = folder.file("page.html")
        let both = try run(
            driver + ["--backend", "plain", "--report", folder.path, "--matrix", page, Self.vectors])
        #expect(both.code == 1)
        let html = String(decoding: try Data(contentsOf: URL(filePath: page)), as: UTF8.self)
        #expect(html.contains("P 10/10") && html.contains("F 1/10"))
        #expect(html.contains("plain: 10 of 10 cases that ran pass; refuser: 1 of 10"))
        // Narrow screens show no header: each cell says on what it is.
        #expect(html.contains("data-title=\"plain\"><a") && html.contains("data-title=\"refuser\"><a"))
        let report = folder.file("conformance.csv")
        let comparison = try run(["compare", report + ":plain", report + ":refuser"])
        #expect(comparison.code == 1)
        #expect(comparison.output.hasSuffix("1 cases are the same, 9 differ\n"))
        #expect(try run(["compare", report, report]).code == 0)
        #expect(try run(["compare", report, report + ":nobody"]).code == 2)
        // The list makes the same run green.
        #expect(try run(driver + ["--write-expected-failures", list, Self.vectors]).code == 1)
        #expect(try run(driver + ["--expected-failures", folder.path, Self.vectors]).code == 0)
    }
}
