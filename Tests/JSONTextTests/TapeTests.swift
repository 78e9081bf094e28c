import JSONText
import Testing

@Suite struct TapeTests {
    @Test func `members and elements come in order`() throws {
        try withTape(#" {"a":[1,{"b":null},"x"],"\u0063":{},"d":true,"":[[],[[]]]} "#) { root in
            #expect(root.kind == .object)
            #expect(root.members.map(\.name.string) == ["a", "c", "d", ""])
            #expect(root.members.map(\.value.kind) == [.array, .object, .true, .array])
            #expect(root["a"]?.elements.map(\.kind) == [.number, .object, .string])
            #expect(root["c"]?.offset == 34)
            #expect(root["d"]?.bool == true)
            #expect(root["e"] == nil)
            #expect(root.elements.map(\.kind) == [])
            #expect(root["a"]?.members.map(\.name.string) == [])
            #expect(root[""]?.elements.map { $0.elements.map(\.kind) } == [[], [.array]])
            #expect(root["a"].map { String(decoding: $0.rawText, as: UTF8.self) } == #"[1,{"b":null},"x"]"#)
            #expect(root.value.bytes() == Array(#"{"a":[1,{"b":null},"x"],"c":{},"d":true,"":[[],[[]]]}"#.utf8))
        }
    }

    @Test func `strings are compared decoded`() throws {
        try withTape(#"["ab","\u0061b","a\nb",""]"#) { root in
            let texts = root.elements.compactMap(\.stringText)
            #expect(texts.map { $0 == "ab" } == [true, true, false, false])
            #expect(texts.map { $0.hasPrefix("a") } == [true, true, true, false])
            #expect(texts.map { $0.hasPrefix("abc") } == [false, false, false, false])
            #expect(texts.map { $0 == "" } == [false, false, false, true])
            #expect(texts.map(\.isEscaped) == [false, true, true, false])
            #expect(texts.map(\.string) == ["ab", "ab", "a\nb", ""])
        }
    }

    @Test func `numbers stay exact`() throws {
        try withTape("[9007199254740993,1.50,1e400,-0,12345678901234567890123,7e2]") { root in
            let numbers = Array(root.elements)
            #expect(numbers.map(\.int64) == [9_007_199_254_740_993, nil, nil, 0, nil, 700])
            #expect(
                numbers.map(\.double) == [
                    9_007_199_254_740_992, 1.5, .infinity, 0, 12_345_678_901_234_567_741_440, 700,
                ])
            #expect(numbers[3].double?.sign == .minus)
            #expect(numbers.map(\.isWrittenAsInteger) == [true, false, false, true, true, false])
            #expect(numbers[1].numberText.map { String(decoding: $0, as: UTF8.self) } == "1.50")
        }
    }

    @Test func `a tape is used again`() throws {
        let tape = JSONTape(options: JSONOptions(refusesDuplicateNames: true))
        for (text, isRead) in [
            ("[1,2,3]", true), (#"{"a":1,"a":2}"#, false), ("[", false), (#""x""#, true),
            (#"{"a":{"a":1},"b":[{"a":1},{"a":2}]}"#, true),
        ] {
            Array(text.utf8).withUnsafeBytes { bytes in
                #expect(((try? tape.read(bytes)) != nil) == isRead)
                if isRead {
                    #expect(tape.withRoot { String(decoding: $0.rawText, as: UTF8.self) } == text)
                }
            }
        }
    }

    @Test func `the first value is read and its end is given`() throws {
        let tape = JSONTape()
        try Array(#" {"a":[1]} , {"b""#.utf8).withUnsafeBytes { bytes in
            let end = try tape.readFirst(bytes)
            #expect(end == 10)
            #expect(tape.withRoot { $0["a"]?.elements.map(\.int64) } == [1])
            let rest = UnsafeRawBufferPointer(rebasing: bytes[13...])
            let error = #expect(throws: JSONError.self) { _ = try tape.readFirst(rest) }
            #expect(error?.code == .truncated)
        }
    }

    private func withTape(_ text: String, _ body: (JSONNode) throws -> Void) throws {
        let tape = JSONTape()
        try Array(text.utf8).withUnsafeBytes { bytes in
            try tape.read(bytes)
            try tape.withRoot(body)
        }
    }
}
