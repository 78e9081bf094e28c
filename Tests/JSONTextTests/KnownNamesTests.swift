import JSONText
import TestSupport
import Testing

/// Reads many documents with one scanner, which remembers the names of earlier ones, and compares it with a scanner
/// that is new for each document: values, stored documents and errors are the same.
@Suite struct KnownNamesTests {
    private static let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    private static let paths = ["id", "name", "address.city", "abcdefghijklmnop", "", "é", "x"]

    private struct Reading: Equatable {
        var values: [[UInt8]?] = []
        var stored: [UInt8] = []
        var error: JSONError?
    }

    private static func read(_ document: [UInt8], with scanner: EntryScanner) -> Reading {
        var reading = Reading()
        document.withUnsafeBytes { bytes in
            do throws(JSONError) {
                try scanner.scan(bytes)
                reading.values = paths.indices.map { path in scanner.values.text(of: path).map { Array($0) } }
                scanner.appendStored(id: 7, lastModified: 8, to: &reading.stored)
            } catch {
                reading.error = error
            }
        }
        return reading
    }

    private static func expectSame(_ documents: [[UInt8]], _ comment: String) {
        let scanner = EntryScanner(paths: paths)
        for (index, document) in documents.enumerated() {
            let found = read(document, with: scanner)
            let expected = read(document, with: EntryScanner(paths: paths))
            #expect(found == expected, "\(comment), document \(index): \(String(decoding: document, as: UTF8.self))")
        }
    }

    private static func expectSame(_ documents: [String]) {
        expectSame(documents.map { Array($0.utf8) }, documents.first ?? "")
    }

    @Test func `a name after the known ones that was there before is a duplicate`() {
        let first = #"{"id":1,"name":"a"}"#
        Self.expectSame([first, #"{"id":1,"name":"a","id":2}"#])
        Self.expectSame([first, #"{"id":1,"id":2}"#])
        Self.expectSame([first, #"{"id":1,"n\u0061me":"a","name":"b"}"#])
        Self.expectSame([first, #"{"id":1,"name":"a","other":3,"na\u006de":4}"#])
        Self.expectSame([first, #"{"id":1,"name":{"id":1,"id":2}}"#])
    }

    @Test func `a name is a known one only with its colon`() {
        let first = #"{"id":1,"name":"a"}"#
        for other in [
            #"{"id" :1,"name":"b"}"#, #"{"id"1}"#, #"{"id""#, #"{"id"#, #"{"id":1,"name""#, #"{"id":1,"name":"#,
            #"{"id":1,"nam":"b"}"#, #"{"id":1,"names":"b"}"#, #"{"id":1,}"#, #"{ "id":1, "name":"c"}"#, "{}", "{\"",
        ] {
            Self.expectSame([first, other, first])
        }
    }

    @Test func `an inner object with the names of the outermost one has values of its own`() {
        let first = #"{"name":"a","address":{"city":"Rome"}}"#
        Self.expectSame([
            first, #"{"name":"b","address":{"name":"c","address":{"city":"Oslo"}}}"#, first,
            #"{"address":{"city":"Bern","city":"Rome"},"name":"d"}"#, first,
        ])
    }

    @Test func `random documents in turn`() {
        var random = SeededRandom(seed: Self.seed)
        print("known names: seed \(Self.seed)")
        for round in 0..<150 {
            let shapes = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.shape(&random) }
            let documents = (0..<20).map { _ in
                Self.document(shapes.randomElement(using: &random) ?? [], &random)
            }
            Self.expectSame(documents, "seed \(Self.seed), round \(round)")
        }
    }

    /// Names of a document: few, so that some are equal and some are almost equal.
    private static func shape(_ random: inout SeededRandom) -> [String] {
        let names = [
            "id", "name", "address", "abcdefghijklmnop", "abcdefghijklmnoq", "abcdefg", "abcdefgh", "", "é", "x", "y",
            "_soupEntryId", "_soupLastModifiedDate", String(repeating: "long", count: 16),
            String(repeating: "long", count: 16) + "er",
        ]
        return Array(names.shuffled(using: &random).prefix(Int.random(in: 0...names.count, using: &random)))
    }

    /// A document of a shape, now and then with another name, a name twice, an escape, white space or a changed byte.
    private static func document(_ shape: [String], _ random: inout SeededRandom) -> [UInt8] {
        var names = shape
        switch Int.random(in: 0..<8, using: &random) {
        case 0: names.append(shape.randomElement(using: &random) ?? "z")
        case 1: names.insert("other", at: Int.random(in: 0...names.count, using: &random))
        case 2: names.removeLast(Int.random(in: 0...names.count, using: &random))
        default: break
        }
        let members = names.map { name -> String in
            let written =
                Int.random(in: 0..<30, using: &random) == 0
                ? name.replacing("a", with: #"\u0061"#) : name
            let blank = Int.random(in: 0..<40, using: &random) == 0 ? " " : ""
            return "\"\(written)\"\(blank):\(Self.value(&random))"
        }
        var text = Array("{\(members.joined(separator: ","))}".utf8)
        if Int.random(in: 0..<10, using: &random) == 0 {
            text[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(in: 0x20...0x7F, using: &random)
        }
        if Int.random(in: 0..<20, using: &random) == 0 {
            text.removeLast(Int.random(in: 1...text.count, using: &random))
        }
        return text
    }

    private static func value(_ random: inout SeededRandom) -> String {
        let values = [
            "1", "\"text\"", "null", #"{"city":"Rome","id":2}"#, #"[{"city":1},{"city":"x"}]"#, #"{"id":1,"name":[]}"#,
            "true", "\"a\\u0000b\"",
        ]
        return values.randomElement(using: &random) ?? "1"
    }
}
