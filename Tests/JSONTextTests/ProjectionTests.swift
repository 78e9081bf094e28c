import JSONText
import Testing

@Suite struct ProjectionTests {
    static let first = #"{"a":"va","b":2,"c":[0,1,2],"d":{"d1":"vd1","d2":"vd2","d3":[1,2],"d4":{"e":5}}}"#
    static let second = """
        {"a":"a1","b":2,"c":[{"cc":"cc1"},{"cc":2},{"cc":[1,2,3]},{},{"cc":{"cc5":5}}],"d":[{"dd":[{"ddd":"ddd11"},{"ddd":"ddd12"}]},\
        {"dd":[{"ddd":"ddd21"}]},{"dd":[{"ddd":"ddd31"},{"ddd3":"ddd32"}]}]}
        """
    static let third = #"{"a":null,"b":{"bb":null},"c":{"cc":{"ccc":null}}}"#

    @Test(
        arguments: [
            (first, "", first), (first, "a", "va"), (first, "b", "2"), (first, "c", "[0,1,2]"), (first, "d.d1", "vd1"),
            (first, "d.d2", "vd2"),
            (first, "d", #"{"d1":"vd1","d2":"vd2","d3":[1,2],"d4":{"e":5}}"#), (first, "d.d3", "[1,2]"),
            (first, "d.d4", #"{"e":5}"#), (first, "d.d4.e", "5"),
            (first, "e", nil), (first, "a.b", nil), (first, "b.b", nil), (first, "c[0]", nil), (first, "c.0", nil),
            (first, "d.", nil), (first, ".", nil),
            (second, "c", #"[{"cc":"cc1"},{"cc":2},{"cc":[1,2,3]},{},{"cc":{"cc5":5}}]"#),
            (second, "c.cc", #"["cc1",2,[1,2,3],{"cc5":5}]"#),
            (second, "c.cc.cc5", "[5]"), (second, "d.dd.ddd", #"[["ddd11","ddd12"],["ddd21"],["ddd31"]]"#),
            (second, "d.dd.ddd3", #"[["ddd32"]]"#),
            (
                second, "d.dd",
                #"[[{"ddd":"ddd11"},{"ddd":"ddd12"}],[{"ddd":"ddd21"}],[{"ddd":"ddd31"},{"ddd3":"ddd32"}]]"#
            ), (second, "d.dd.x", nil),
            (#"{"a":{"b":{"c":1}}}"#, "a.b.c", "1"), (#"{"a":{"b":[{"c":[1,2,3]}]}}"#, "a.b.c", "[[1,2,3]]"),
            (#"{"a":{"b":{"c":[1,2,3]}}}"#, "a.b.c", "[1,2,3]"),
            (#"{"a":{"b":[{"c":1},{"c":2},{"no-c":3}]}}"#, "a.b.c", "[1,2]"),
            (#"{"a":[{"b":{"c":0}},{"b":[{"c":1},{"c":2}]}]}"#, "a.b.c", "[0,[1,2]]"),
            (#"{"a":[{"b":null},{"b":1},null,"b",[{"b":2},[]]]}"#, "a.b", "[1,[2]]"),
            (#"{"a":[{"b":null}]}"#, "a.b", nil), (#"{"a":[]}"#, "a.b", nil),
            (#"{"a":[[[{"b":1}],[]],[[]]]}"#, "a.b", "[[[1]]]"), (#"{"a":[null,1]}"#, "a", "[null,1]"),
            (#"{"a":{"":1}}"#, "a.", "1"), (#"{"":{"":1}}"#, ".", "1"),
            (#"{"\u0061":{"\u0062\u2028":true}}"#, "a.b\u{2028}", "true"), (#"{"e\u0301":1,"é":2}"#, "é", "2"),
            (#"{"a":"x\ty\ud83d\ude00"}"#, "a", "x\ty😀"),
            (
                #"{"a": {"b" : [ 1.50 , "x\u0041\/\n\u001f", "y z" ] , "\u0041\"":{ } } }"#, "a",
                #"{"b":[1.50,"xA/\n\u001f","y z"],"A\"":{}}"#
            ),
            (#"{"a":[{"b":"\u0041"}]}"#, "a.b", #"["A"]"#), (#"{"a":1E+2}"#, "a", "1E+2"), (#"{"a":""}"#, "a", ""),
        ] as [(String, String, String?)])
    func `finds the text of a path`(document: String, path: String, expected: String?) throws {
        #expect(try Projected(document, [path]).texts == [expected])
    }

    @Test(
        arguments: [
            ("a", .null), ("b.bb", .null), ("c.cc.ccc", .null), ("a1", .missing), ("b.bb1", .missing),
            ("c.cc.ccc1", .missing), ("a.x", .missing), ("b", .object),
        ] as [(String, ProjectedValue.Kind)])
    func `null is distinguished from missing`(path: String, expected: ProjectedValue.Kind) throws {
        #expect(try Projected(Self.third, [path]).kinds == [expected])
    }

    @Test func `many paths share one pass`() throws {
        let paths = ["d.dd.ddd", "c", "c.cc", "a", "d", "c.cc.cc5", "a", "x", "d.dd.ddd3", "b", ""]
        let together = try Projected(Self.second, paths)
        for (index, path) in paths.enumerated() {
            let alone = try Projected(Self.second, [path])
            #expect(together.texts[index] == alone.texts[0])
            #expect(together.kinds[index] == alone.kinds[0])
        }
    }

    @Test func `paths with common beginnings are distinguished`() throws {
        let document = #"{"abcdefgh1":1,"abcdefgh2":2,"abcdefgh":3,"abcdefghij":{"abcdefgh1":4},"a":5,"ab":6}"#
        #expect(
            try Projected(
                document, ["abcdefgh1", "abcdefgh2", "abcdefgh", "abcdefghij.abcdefgh1", "a", "ab", "abcdefgh3"]
            ).texts == [
                "1", "2", "3", "4", "5", "6", nil,
            ])
    }

    @Test func `a projection is used again and forgets`() throws {
        let projection = JSONProjection(paths: JSONPathSet(["a", "b.c"]))
        let documents = [#"{"a":1,"b":[{"c":"\u0041"}]}"#, #"{"a":}"#, "{}", #"{"b":{"c":null}}"#]
        var seen: [[String?]] = []
        for document in documents {
            let bytes = Array(document.utf8)
            bytes.withUnsafeBytes { bytes in
                try? projection.read(bytes)
                seen.append((0..<2).map { projection.text(of: $0).map { String(decoding: $0, as: UTF8.self) } })
            }
        }
        #expect(seen == [["1", #"["A"]"#], [nil, nil], [nil, nil], [nil, nil]])
    }

    @Test(
        arguments: [
            (#""a\u0000b""#, 7), (#""\\u0000""#, nil), (#"["x",{"y\u0000":1}]"#, 13), (#""\u0001""#, nil),
            (#"{"x":"\u0000","y":"\u0000"}"#, 11), ("1", nil),
        ] as [(String, Int?)])
    func `reports NUL in a value`(value: String, offset: Int?) throws {
        let document = "{\"v\":\(value),\"w\":\"\\u0000\"}"
        #expect(try Projected(document, ["v"]).nulOffsets == [offset])
        #expect(try Projected("{\"w\":\"\\u0000\",\"v\":1}", ["v"]).nulOffsets == [nil])
    }

    @Test(arguments: [#"{"a":1,"a":2}"#, #"{"x":{"b":1,"\u0062":2}}"#, #"[{"a":1,"a":1}]"#])
    func `a name twice is refused`(document: String) {
        let error = #expect(throws: JSONError.self) { try Projected(document, ["a"]) }
        #expect(error?.code == .duplicateName)
    }

    @Test func `values come as JSON too`() throws {
        let document = #"{"s":"a\u0041","n":null,"t":[ 1 , 2 ],"c":[{"x":"\u0041"}]}"#
        #expect(
            try Projected(document, ["s", "n", "t", "c.x", "m"]).json == [
                #""a\u0041""#, "null", "[1,2]", #"["A"]"#, nil,
            ])
    }
}

/// A copy of the results of a projection.
struct Projected {
    var texts: [String?] = []
    var json: [String?] = []
    var kinds: [ProjectedValue.Kind] = []
    var nulOffsets: [Int?] = []
    var numbers: [NumericValue] = []

    init(_ document: String, _ paths: [String]) throws {
        let projection = JSONProjection(paths: JSONPathSet(paths))
        let bytes = Array(document.utf8)
        try bytes.withUnsafeBytes { bytes in
            try projection.read(bytes)
            for path in paths.indices {
                texts.append(projection.text(of: path).map { String(decoding: $0, as: UTF8.self) })
                json.append(projection.json(of: path).map { String(decoding: $0, as: UTF8.self) })
                kinds.append(projection.value(path).kind)
                nulOffsets.append(projection.value(path).nulOffset)
                numbers.append(projection.numeric(of: path))
            }
        }
    }
}
