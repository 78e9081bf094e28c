import Conformance
import JSONText
import SQLiteAccess
import Soups
import TestSupport
import Testing

@Suite struct RequestServerTests {
    private func answers(_ lines: [String]) -> [JSONValue?] {
        let server = RequestServer(backEnd: EchoBackEnd())
        return lines.map { server.answer(to: Array($0.utf8)).flatMap { try? JSONValue(parsing: $0) } }
    }

    @Test func `every request has one answer with its id`() throws {
        let found = answers([
            #"{"id": 1, "call": "querySoup", "args": {"result": [1, "x"]}}"#,
            #"{"id": "two", "call": "querySoup", "args": {"fault": {"code": "busy", "message": "m", "offset": 3}}}"#,
            #"{"id": 3, "call": "querySoup"}"#,
        ])
        #expect(found[0] == ["id": 1, "returns": [1, "x"]])
        #expect(found[1] == ["id": "two", "fails": ["code": "busy", "message": "m", "offset": 3]])
        #expect(found[2] == ["id": 3, "returns": nil])
    }

    @Test func `the message of a fault names the soup and the path that the fault is about`() throws {
        let fault = #"{"code": "pathNotIndexed", "message": "add an index", "offset": 3, "soup": "s", "path": "a.b"}"#
        let found = answers([#"{"id": 1, "call": "querySoup", "args": {"fault": \#(fault)}}"#])
        #expect(found[0]?["fails"]?["message"]?.string == #"add an index (soup "s", path "a.b")"#)
        #expect(found[0]?["fails"]?["offset"]?.int64 == 3)
    }

    @Test(arguments: [
        ("nonsense", "invalidJSON"), ("[1]", "invalidArguments"), ("5", "invalidArguments"),
        (#"{"call": "hello"}"#, "invalidArguments"), ("{", "invalidJSON"),
        (#"{"id": 1}"#, "invalidArguments"), (#"{"id": 1, "call": 5}"#, "invalidArguments"),
        (#"{"id": 1, "call": "x", "args": [1]}"#, "invalidArguments"),
        ("\u{0}", "invalidJSON"),
    ])
    func `broken line is answered too`(line: String, code: String) throws {
        let found = try #require(answers([line])[0])
        #expect(found["fails"]?["code"]?.string == code)
        #expect(found["id"] != nil)
    }

    @Test func `blank lines are no requests`() { #expect(answers(["", "  ", "\r", "\t"]).allSatisfy { $0 == nil }) }

    @Test func `lines are cut wherever the bytes arrive`() {
        var splitter = LineSplitter(limit: 10)
        var lines: [String] = []
        for byte in "ab\n\ncd\n01234567890123\nlast".utf8 {
            for line in splitter.lines(adding: [byte]) {
                switch line {
                case .whole(let bytes): lines.append(String(decoding: bytes, as: UTF8.self))
                case .tooLong: lines.append("(too long)")
                }
            }
        }
        if case .whole(let bytes) = splitter.last() {
            lines.append(String(decoding: bytes, as: UTF8.self))
        }
        #expect(lines == ["ab", "", "cd", "(too long)", "last"])
    }

    @Test func `every call of the store is answered by a store`() throws {
        let backEnd = try StoreBackEnd(.plain)
        defer { backEnd.close() }
        for name in CallName.store {
            do throws(CallFailure) {
                _ = try backEnd.run(name, JSONObject())
            } catch {
                // Without arguments most calls fail, but not because they are unknown.
                guard case .fault(let fault) = error else {
                    Issue.record("\(name): \(error)")
                    continue
                }
                #expect(fault.message != "unknown call", "\(name)")
            }
        }
    }

    @Test func `call that takes too long is given up`() throws {
        let folder = try TemporaryFolder()
        let filling = try StoreBackEnd(.plain, folder: folder.path, timeLimit: nil)
        let entries = JSONValue.array((0..<400).map { ["k": .number(JSONNumber(Int64($0)))] })
        _ = try filling.run(
            "registerSoup", JSONObject([("soupName", "a"), ("indexSpecs", [["path": "k", "type": "integer"]])]))
        _ = try filling.run("upsertSoupEntries", JSONObject([("soupName", "a"), ("entries", entries)]))
        filling.close()
        let backEnd = try StoreBackEnd(.plain, folder: folder.path, timeLimit: 1)
        let slow: JSONValue = "select sum(x.{a:k} * y.{a:k} + z.{a:k}) from {a} as x, {a} as y, {a} as z"
        let spec: JSONValue = ["queryType": "smart", "smartSql": slow]
        #expect(throws: CallFailure.timeout(seconds: 1)) {
            try backEnd.run("countQuery", JSONObject([("querySpec", spec)]))
        }
        backEnd.close()
    }
}
