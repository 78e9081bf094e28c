import JSONText
import Testing

@Suite struct EntryScannerTests {
    private static let added = #""_soupEntryId":7,"_soupLastModifiedDate":1600000000000}"#

    @Test(arguments: [
        ("{}", "{" + added), (" {\n} ", "{" + added), (#"{"a":1}"#, #"{"a":1,"# + added),
        (#" { "a" : 1 , "b":[ ] } "#, #"{"a" : 1 , "b":[ ],"# + added),
        (#"{"_soupEntryId":1,"a":1}"#, #"{"a":1,"# + added), (#"{"a":1,"_soupEntryId":1}"#, #"{"a":1,"# + added),
        (#"{"a":1, "_soupEntryId":1, "b":2}"#, #"{"a":1,"b":2,"# + added), (#"{"_soupEntryId":1}"#, "{" + added),
        (#"{"_soupLastModifiedDate":1,"_soupEntryId":1}"#, "{" + added),
        (#"{"_soupLastModifiedDate":1,"a":{},"_soupEntryId":1}"#, #"{"a":{},"# + added),
        (#"{"_soupEntryI\u0064":1,"a":1}"#, #"{"a":1,"# + added),
        (#"{"a":1,"\u005fsoupLastModifiedDate":[1,{"\u0061":2}]}"#, #"{"a":1,"# + added),
        (
            #"{"\u0061":{"b\"\u0063\u000a":"\u0061"},"_soupEntryI\u0064":{"\u0078":1},"\u007a":1}"#,
            #"{"a":{"b\"c\n":"\u0061"},"z":1,"# + added
        ),
        (#"{"a":{"_soupEntryId":1}}"#, #"{"a":{"_soupEntryId":1},"# + added),
        (#"{"_soupEntryIds":1}"#, #"{"_soupEntryIds":1,"# + added),
        (#"{"a":{"_soupEntryId":1,"b":2},"_soupEntryId":3,"c":4}"#, #"{"a":{"_soupEntryId":1,"b":2},"c":4,"# + added),
    ])
    func `stores the bytes given with new system fields`(entry: String, expected: String) throws {
        let scanner = EntryScanner(paths: ["a"])
        var stored: [UInt8] = []
        try Array(entry.utf8).withUnsafeBytes { bytes in
            try scanner.scan(bytes)
            scanner.appendStored(id: 7, lastModified: 1_600_000_000_000, to: &stored)
        }
        #expect(String(decoding: stored, as: UTF8.self) == expected)
    }

    @Test(
        arguments: [
            ("{}", .missing), (#"{"_soupEntryId":null}"#, .null), (#"{"_soupEntryI\u0064":12}"#, .integer(12)),
            (#"{"_soupEntryId":12.0}"#, .integer(12)),
            (#"{"_soupEntryId":1.5}"#, .other), (#"{"_soupEntryId":"1"}"#, .other), (#"{"_soupEntryId":[1]}"#, .other),
            (#"{"_soupEntryId":true}"#, .other),
            (#"{"a":{"_soupEntryId":1}}"#, .missing), (#"{"_soupEntryId":9223372036854775808}"#, .other),
            (#"{"a":[{"_soupEntryId":1}]}"#, .missing),
        ] as [(String, EntryScanner.Identifier)])
    func `reads the id that an entry brings`(entry: String, expected: EntryScanner.Identifier) throws {
        let scanner = EntryScanner(paths: ["a", "a.b"])
        try Array(entry.utf8).withUnsafeBytes { bytes in
            try scanner.scan(bytes)
            #expect(scanner.identifier == expected)
        }
    }

    @Test(arguments: [
        ("[]", "syntax", 0), (" 1", "syntax", 1), ("", "truncated", 0), ("null", "syntax", 0),
        (#"{"a":1,"a":2}"#, "duplicateName", 7),
        (#"{"a":1,"\u0061":2}"#, "duplicateName", 7), (#"{"x":[{"k":1,"l":2,"k":3}]}"#, "duplicateName", 19),
        (#"{"a":1"#, "truncated", 6),
        (#"{"_soupEntryId":1,"_soupEntryI\u0064":2}"#, "duplicateName", 18), (#"{"":1,"":2}"#, "duplicateName", 6),
        (#"{"a":1} x"#, "syntax", 8),
        (#"{"\u0061":1,"a":2}"#, "duplicateName", 12), (#"{"é":1,"\u00e9":2}"#, "duplicateName", 8),
    ])
    func `refuses what is no entry`(entry: String, code: String, offset: Int) {
        let scanner = EntryScanner(paths: ["a"])
        let error = #expect(throws: JSONError.self) { try Array(entry.utf8).withUnsafeBytes { try scanner.scan($0) } }
        #expect(error?.code.rawValue == code)
        #expect(error?.offset == offset)
    }

    @Test func `equal names of different objects are no duplicates`() throws {
        let scanner = EntryScanner(paths: ["a"])
        for entry in [#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}],"c":{"a":1}}"#, #"{"é":1,"e\u0301":2,"E":3,"e":4}"#] {
            try Array(entry.utf8).withUnsafeBytes { try scanner.scan($0) }
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [40, 1000, 4_000])
    func `duplicates are found among many names`(count: Int) throws {
        let scanner = EntryScanner(paths: ["name0500_of_the_object"])
        let members = (0..<count).map { #""name\#($0)_of_the_object":{"x":\#($0),"y":{"x":1}}"# }
        let object = "{" + members.joined(separator: ",")
        try Array((object + "}").utf8).withUnsafeBytes { try scanner.scan($0) }
        // Inner objects are as large as the outer one.
        try Array((object + ",\"in\":[" + object + "}," + object + "}]}").utf8).withUnsafeBytes { try scanner.scan($0) }
        for index in [0, count / 2, count - 1] {
            let error = #expect(throws: JSONError.self) {
                try Array((object + ",\"in\":" + object + "},\"nam\\u0065\(index)_of_the_object\":1}").utf8)
                    .withUnsafeBytes { try scanner.scan($0) }
            }
            #expect(error?.code == .duplicateName)
        }
        try Array("{\"a\":1}".utf8).withUnsafeBytes { try scanner.scan($0) }
    }

    @Test func `depth of 512 is the limit`() throws {
        let scanner = EntryScanner(paths: ["a.a.a"])
        let text = { (depth: Int) in
            String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
        }
        try Array(text(512).utf8).withUnsafeBytes { try scanner.scan($0) }
        let error = #expect(throws: JSONError.self) {
            try Array(text(513).utf8).withUnsafeBytes { try scanner.scan($0) }
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.offset == 512 * 5)
    }

    @Test(arguments: [
        ("[]", []), (" [ {\"a\":1} , 2,\"x]\" ] ", ["{\"a\":1}", "2", "\"x]\""]), ("[[1],[]]", ["[1]", "[]"]),
    ])
    func `splits a batch into its entries`(text: String, expected: [String]) throws {
        var elements: [String] = []
        try Array(text.utf8).withUnsafeBytes { bytes in
            var reader = try JSONArrayElements(bytes)
            while let range = try reader.next() {
                elements.append(String(decoding: bytes[range], as: UTF8.self))
            }
        }
        #expect(elements == expected)
    }

    @Test(arguments: [("{}", 0), ("[1", 2), ("[1 2]", 3), ("[1,]", 3), ("[1] 2", 4), ("", 0), ("[,1]", 1)])
    func `refuses a broken batch`(text: String, offset: Int) {
        let error = #expect(throws: JSONError.self) {
            try Array(text.utf8).withUnsafeBytes { bytes in
                var reader = try JSONArrayElements(bytes)
                while try reader.next() != nil {}
            }
        }
        #expect(error?.offset == offset)
    }
}
