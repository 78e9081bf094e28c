import Conformance
import JSONText
import OData
import Soups
import Testing

/// Parses a tree in JSON, in which names mean paths: `["add","A","B"]` stands for `["add",["path","A"],["path","B"]]`.
private func expected(_ text: String) throws -> JSONValue { withPaths(try JSONValue(parsing: text), isOperator: false) }

private func withPaths(_ value: JSONValue, isOperator: Bool) -> JSONValue {
    switch value {
    case .string(let name): isOperator ? value : ["path", .string(name)]
    case .number(let number): ["literal", "Edm.Int32", .number(number)]
    case .bool(let truth): ["literal", "Edm.Boolean", .bool(truth)]
    case .array(let elements) where elements.first == "raw": elements[1]
    case .array(let elements): .array(elements.enumerated().map { withPaths($0.element, isOperator: $0.offset == 0) })
    default: value
    }
}

@Suite struct ExpressionTreeTests {
    @Test(arguments: [
        ("A add B mul C eq D", #"["eq",["add","A",["mul","B","C"]],"D"]"#),
        ("A sub B sub C", #"["sub",["sub","A","B"],"C"]"#),
        ("A or B and not C", #"["or","A",["and","B",["not","C"]]]"#),
        ("A or B or C and D", #"["or",["or","A","B"],["and","C","D"]]"#),
        ("not A eq B", #"["eq",["not","A"],"B"]"#),
        ("-A mul B", #"["mul",["neg","A"],"B"]"#),
        ("A sub -5", #"["sub","A",-5]"#),
        ("A sub - 5", #"["sub","A",["neg",5]]"#),
        ("A gt B eq true", #"["eq",["gt","A","B"],true]"#),
        ("true eq A gt B", #"["eq",true,["gt","A","B"]]"#),
        ("A add 1 in (2,3)", #"["add","A",["in",1,["list",2,3]]]"#),
        ("not A in (1)", #"["not",["in","A",["list",1]]]"#),
        ("-A has B", #"["neg",["has","A","B"]]"#),
        ("(A add B) mul C", #"["mul",["add","A","B"],"C"]"#),
        ("A  and\tB", #"["and","A","B"]"#),
        ("( A )", #""A""#),
        ("not eq 5", #"["eq","not",5]"#),
        ("and and or", #"["and","and","or"]"#),
        ("eq eq eq", #"["eq","eq","eq"]"#),
        ("not not A", #"["not",["not","A"]]"#),
        ("in in (in)", #"["in","in","in"]"#),
        ("A in ()", #"["in","A",["list"]]"#),
        (
            "case(X gt 0:1,X lt 0:-1,true:0)",
            #"["case",["raw",[["gt",["path","X"],["literal","Edm.Int32",0]],["literal","Edm.Int32",1]]],["raw",[["lt",["path","X"],["literal","Edm.Int32",0]],["literal","Edm.Int32",-1]]],["raw",[["literal","Edm.Boolean",true],["literal","Edm.Int32",0]]]]"#
        ),
        ("Name EQ B", #"["eq","Name","B"]"#),
        ("ORDER ne null", #"["ne","ORDER",["null"]]"#),
        ("TRUE", "true"),
    ])
    func `operators bind by the table`(_ text: String, _ tree: String) throws {
        #expect(try ODataExpression(parsing: text, version: .v401).json == expected(tree))
    }

    @Test(arguments: [
        ("Tags/any()", #"["any",["path","Tags"]]"#),
        (
            "O/any(o:o/L/all(l:l/Q gt 1))",
            #"["any",["path","O"],"o",["all",["path","o","L"],"l",["gt",["path","l","Q"],["literal","Edm.Int32",1]]]]"#
        ),
        ("Tags/$count eq 0", #"["eq",["count",["path","Tags"]],["literal","Edm.Int32",0]]"#),
        ("$it/Name eq @p", #"["eq",["path","$it","Name"],["alias","@p"]]"#),
        ("Price/@Measures.Currency", #"["path","Price","@Measures.Currency"]"#),
        (
            "@Core.Messages/any(m:m/severity eq 'error')",
            #"["any",["path","@Core.Messages"],"m",["eq",["path","m","severity"],["literal","Edm.String","error"]]]"#
        ),
        ("Address/Model.Sub/Street", #"["path","Address","Model.Sub","Street"]"#),
        ("geo.length(Line)", #"["call","geo.length",["path","Line"]]"#),
        ("substring( Name , 1 )", #"["call","substring",["path","Name"],["literal","Edm.Int32",1]]"#),
        ("cast(A,Edm.String)", #"["cast",["path","A"],"Edm.String"]"#),
        ("isof(Ns.T)", #"["isof","Ns.T"]"#),
        ("Style has Ns.Colour'Red,2'", #"["has",["path","Style"],["literal","Ns.Colour","Red,2"]]"#),
        ("$this gt 1", #"["gt",["path","$this"],["literal","Edm.Int32",1]]"#),
        ("Größe eq 1", #"["eq",["path","Größe"],["literal","Edm.Int32",1]]"#),
    ])
    func `paths and calls are taken`(_ text: String, _ tree: String) throws {
        #expect(try ODataExpression(parsing: text).json == JSONValue(parsing: tree))
    }

    @Test(arguments: [
        ("any(x:true)", 3), ("Products/all()", 14), ("FirstName in (FirstName,LastName)", 23), ("Model.Available", 15),
        ("EmailAddresses eq ('Miller','Smith')", 27), ("A eq 2012-12", 9), ("A eq 2012 -12", 10), ("D eq .5", 5),
        ("D eq 5.", 6), ("D eq 0x1F", 6),
        ("D eq 1e", 7), ("Name eq 'O'Neil'", 11), ("Name eq 'a", 10), (" A", 0), ("A ", 2), ("", 0), ("A eq", 2),
        ("A eq ", 5), ("not(A)", 3), ("A eq'x'", 2),
        ("A foo B", 2), ("length(A,B)", 8), ("length()", 7), ("Tags/$count/x", 11), ("(A", 2), ("A)", 1),
        ("A eq 12L", 7), ("guid'x' eq A", 4),
        ("A/", 2), ("A//B", 2), ("$", 1), ("@", 1), ("A in (1,B)", 8), ("Tags/any(t:t)/x", 13),
    ])
    func `broken texts end in a syntax fault at their place`(_ text: String, _ offset: Int) {
        #expect { try ODataExpression(parsing: text, version: .v401) } throws: {
            let fault = $0 as? Fault
            if fault?.code != .syntax || fault?.offset != offset {
                Issue.record("\(text): \(String(describing: fault))")
            }
            return fault?.code == .syntax
        }
    }

    @Test(arguments: [
        ("substringof('a',Name)", ODataVersion.v4, 0), ("contains(Name,'a')", .v2, 0),
        ("matchesPattern(A,'x')", .v4, 0), ("case(true:1)", .v4, 0),
        ("replace(A,'a','b')", .v4, 0), ("A eq upper(B)", .v4, 5), ("Tags/any(t:t)", .v2, 5), ("geo.length(A)", .v2, 0),
    ])
    func `functions of other versions are unsupported`(_ text: String, _ version: ODataVersion, _ offset: Int) {
        #expect { try ODataExpression(parsing: text, version: version) } throws: {
            ($0 as? Fault)?.code == .unsupported && ($0 as? Fault)?.offset == offset
        }
    }

    @Test(arguments: [
        ("A eq 2012-02-30", ODataVersion.v4), ("A eq guid'x'", .v2), ("A eq 1e400", .v4), ("A eq duration'P1Y'", .v4),
        ("A eq 24:00:00", .v4),
        ("A eq binary'a'", .v4), ("A eq X'123'", .v2), ("A eq datetime'2012-02-30T00:00'", .v2),
        ("A eq 9223372036854775808L", .v2),
        ("A eq geography'SRID=0;Point(1)'", .v4), ("A eq 2012-09-03T24:00Z", .v4), ("A eq Ns.T'1+1'", .v4),
        ("A eq 1234567890123456789012345678901234567", .v4),
    ])
    func `values that do not exist are invalid`(_ text: String, _ version: ODataVersion) {
        #expect { try ODataExpression(parsing: text, version: version) } throws: {
            ($0 as? Fault)?.code == .invalidLiteral && ($0 as? Fault)?.offset == 5
        }
    }
}
