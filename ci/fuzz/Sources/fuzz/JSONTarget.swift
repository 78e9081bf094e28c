import JSONText

/// Puts an input through every reader of JSONText: they must agree on verdict, code and offset, and what is written
/// must read back as the same.
enum JSONTarget {
    private static let strict = JSONOptions(refusesDuplicateNames: true)
    // libFuzzer runs inputs one after the other, on one thread.
    private nonisolated(unsafe) static let tape = JSONTape(options: strict)
    private nonisolated(unsafe) static let scanner = EntryScanner(paths: ["a", "a.b", "a.b.c", "", "b"])

    static func run(_ text: UnsafeRawBufferPointer) {
        let checked = failure { () throws(JSONError) in try JSONSyntax.check(text, options: strict) }
        let taped = failure { () throws(JSONError) in try tape.read(text) }
        precondition(checked == taped, "check and tape disagree")
        var tree: JSONValue?
        let parsed = failure { () throws(JSONError) in tree = try JSONValue(parsing: text, options: strict) }
        precondition(checked == parsed, "check and tree disagree")
        let scanned = failure { () throws(JSONError) in try scanner.scan(text) }
        guard let tree else { return }
        roundTrip(tree)
        if case .object(let object) = tree {
            precondition(scanned == nil, "the entry scanner refuses an object")
            store(object)
        } else {
            precondition(scanned != nil, "the entry scanner accepts a value that is not an object")
        }
        let copied = tape.withRoot { $0.value }
        precondition(copied == tree, "tape and tree hold different values")
        lines(text)
    }

    private static func roundTrip(_ tree: JSONValue) {
        for style in [JSONStyle.compact, .pretty, .canonical] {
            let again = try? JSONValue(parsing: tree.bytes(style), options: strict)
            precondition(again == tree, "a written value reads back as another")
        }
    }

    private static func store(_ object: JSONObject) {
        for path in 0..<5 {
            if let text = scanner.values.json(of: path) {
                precondition(
                    (try? JSONValue(parsing: text, options: strict)) != nil, "a projected value is not valid JSON")
            }
            _ = scanner.values.text(of: path)
            _ = scanner.values.numeric(of: path)
        }
        var stored: [UInt8] = []
        scanner.appendStored(id: 7, lastModified: 8, to: &stored)
        var expected = object
        expected["_soupEntryId"] = nil
        expected["_soupLastModifiedDate"] = nil
        expected["_soupEntryId"] = 7
        expected["_soupLastModifiedDate"] = 8
        let again = try? JSONValue(parsing: stored, options: strict)
        precondition(again == .object(expected), "the stored document holds another value")
    }

    private static func lines(_ text: UnsafeRawBufferPointer) {
        let reader = JSONLines(ByteSource(Array(text)), options: strict)
        while true {
            do throws(JSONLineError) {
                guard try reader.advance() else { break }
            } catch {
                precondition(error.line > 0)
            }
        }
    }

    private static func failure(_ body: () throws(JSONError) -> Void) -> JSONError? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }
}
