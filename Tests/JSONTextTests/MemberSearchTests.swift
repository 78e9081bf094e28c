import JSONText
import TestSupport
import Testing

/// A number of a member is found in a text without reading it, where nothing else in the text can be meant.
@Suite struct MemberSearchTests {
    private static func isOnlyMember(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes {
            MemberSearch("Code", writtenAs: Array("35".utf8))?.isOnlyMember(in: $0) ?? false
        }
    }

    @Test(arguments: [
        #"{"Code":35}"#, #"{"a":"Code is 35","Code":35,"b":[1,{"code":2}]}"#, #"{"Codes":1,"Code":35,"XCode":2}"#,
        #"{"a":{"Code":35}}"#,
    ])
    func `a member that is written once is found`(text: String) { #expect(Self.isOnlyMember(text)) }

    @Test(arguments: [
        #"{"Code":351}"#, #"{"Code":35.0}"#, #"{"Code":35e0}"#, #"{"Code":3}"#, #"{"Code":"35"}"#, #"{"Code":-35}"#,
        #"{"Code": 35}"#, #"{"Code":35 }"#, #"{"Code":35,"a":{"Code":35}}"#, #"{"a":{"Code":35},"Code":36}"#,
        #"{"a":"Code","Code":35}"#, #"{"Code":35,"a":"\n"}"#, #"{"\u0043ode":36,"a":{"Code":35}}"#, #"{"code":35}"#,
        "{}", "",
        #"{"Code":35"#, #"{"Code""#,
    ])
    func `anything else is not`(text: String) { #expect(!Self.isOnlyMember(text)) }

    @Test func `the place in the text does not matter`() {
        for before in 0..<70 {
            for after in 0..<40 {
                let text =
                    #"{"a":"\#(String(repeating: "C", count: before))","Code":35,"b":"\#(String(repeating: "x", count: after))"}"#
                #expect(Self.isOnlyMember(text))
                #expect(!Self.isOnlyMember(text + text))
            }
        }
    }

    @Test(arguments: ["", ":", "a:b", "a b", "é", "\"", "a.b"])
    func `a name that may be between two strings is not searched for`(name: String) {
        #expect(MemberSearch(name, writtenAs: Array("1".utf8)) == nil)
    }
}
