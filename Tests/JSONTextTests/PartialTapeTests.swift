import JSONText
import Testing

/// An object that is read as far as some of its members.
@Suite struct PartialTapeTests {
    private static let text =
        #"{"a":1,"b":{"c":[1,{"a":2}],"d":"x"},"e\"f":[{"h":1}],"g":"y","h":null,"i":{"a":3},"long name":true}"#

    private func read(_ text: String, _ names: [String]) throws -> [String: String] {
        let tape = PartialTape(names: names, maximumDepth: 64)
        var text = text
        return try text.withUTF8 { bytes in
            try tape.read(UnsafeRawBufferPointer(bytes))
            var members: [String: String] = [:]
            for member in tape.node.members {
                members[member.name.string] = String(decoding: member.value.rawText, as: UTF8.self)
            }
            return members
        }
    }

    @Test(arguments: [["a"], ["b"], ["g"], ["h", "a"], ["i", "b"], ["long name"], ["e\"f"], ["nothing"], ["c"], []])
    func `the members that are asked for are those of the whole object`(names: [String]) throws {
        let whole = try JSONValue(parsing: Self.text)
        let members = try read(Self.text, names)
        for name in names {
            #expect(members[name] == whole[name]?.text())
        }
    }

    @Test func `what follows the last member is not read`() throws {
        #expect(try read(#"{"a":{"b":1} , "c":"#, ["a"]) == ["a": #"{"b":1}"#])
        #expect(throws: JSONError.self) { try read(#"{"a":1,"c":]"#, ["d"]) }
        #expect(throws: JSONError.self) { try read(#"{"a":[1"#, ["a"]) }
    }

    @Test func `members of inner objects are not taken for those of the outermost`() throws {
        #expect(try read(#"{"x":{"a":1},"y":[{"a":2}],"a":3,"z":4}"#, ["a"])["a"] == "3")
    }

    @Test func `a tape reads one text after another`() throws {
        let tape = PartialTape(names: ["b"], maximumDepth: 64)
        for number in 0..<3 {
            var text = #"{"a":\#(number),"b":\#(number),"c":0}"#
            try text.withUTF8 { bytes in
                try tape.read(UnsafeRawBufferPointer(bytes))
                #expect(tape.node["b"]?.int64 == Int64(number))
                #expect(tape.node["c"] == nil)
            }
        }
    }
}
