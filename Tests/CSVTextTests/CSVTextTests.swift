import CSVText
import TestSupport
import Testing

struct CSVTextTests {
    @Test(arguments: [
        (["a", "b"], "a,b\n"), (["a,b", "c\"d"], "\"a,b\",\"c\"\"d\"\n"), (["line\nbreak", ""], "\"line\nbreak\",\n"),
        ([""], "\"\"\n"), ([" a"], "\" a\"\n"),
        (["\r", "é\u{1F600}"], "\"\r\",é\u{1F600}\n"),
    ])
    func `records are written as the standard says and read back`(fields: [String], text: String) throws {
        #expect(CSVText.record(fields) == Array(text.utf8))
        #expect(try CSVText.records(Array(text.utf8)) == [fields])
    }

    @Test func `lines may end in any way and the last in none`() throws {
        #expect(try CSVText.records(Array("a,b\r\nc,\"d\"\r\n".utf8)) == [["a", "b"], ["c", "d"]])
        #expect(try CSVText.records(Array("a,b\nc,d".utf8)) == [["a", "b"], ["c", "d"]])
        #expect(try CSVText.records(Array("a,".utf8)) == [["a", ""]])
        #expect(try CSVText.records([]) == [])
    }

    @Test(arguments: [("a,\"b", 2, 1), ("\"a\"b,c", 3, 1), ("a\nb\"c", 3, 2)])
    func `broken texts are refused with their offset`(text: String, offset: Int, record: Int) {
        let error = #expect(throws: CSVError.self) { try CSVText.records(Array(text.utf8)) }
        #expect(error?.offset == offset && error?.record == record)
    }

    @Test func `text that is not valid UTF-8 is refused`() {
        #expect(throws: CSVError.self) { try CSVText.records([0x61, 0xFF, 0x0A]) }
    }

    @Test func `random records come back as they were`() throws {
        var random = SeededRandom(seed: 4_180)
        let letters: [Character] = ["a", ",", "\"", "\n", "\r", " ", "é", "x"]
        for _ in 0..<500 {
            let records = (0..<3).map { _ in
                (0..<4).map { _ in
                    String(
                        (0..<Int.random(in: 0...5, using: &random)).map { _ in
                            letters[Int.random(in: 0..<8, using: &random)]
                        })
                }
            }
            #expect(try CSVText.records(records.flatMap { CSVText.record($0) }) == records, "seed \(random.seed)")
        }
    }

    @Test func `what a writer has not finished is cut off`() {
        let text = "a,\"line\nbreak\"\nb,\"x\ny"
        #expect(CSVText.wholeRecords(Array(text.utf8)) == Array("a,\"line\nbreak\"\n".utf8))
        #expect(CSVText.wholeRecords(Array("a".utf8)).isEmpty && CSVText.wholeRecords([]).isEmpty)
    }
}
