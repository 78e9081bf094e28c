import SOQL
import Soups
import Testing

@Suite struct SOQLLiteralTests {
    @Test(arguments: [
        ("", "''"), ("O'Neil", #"'O\'Neil'"#), (#"a\"#, #"'a\\'"#), ("\n\r\t\u{8}\u{c}", #"'\n\r\t\b\f'"#),
        ("é \u{7f}\"", "'é \u{7f}\"'"), ("' OR Name != '", #"'\' OR Name != \''"#),
    ])
    func `texts are quoted and escaped`(text: String, literal: String) throws {
        #expect(try SOQLLiteral.text(text) == literal)
        #expect(try SOQLToken.tokens(of: literal).map(\.kind) == [.quoted])
    }

    @Test(arguments: [("\u{0}", 0), ("é\u{1f}", 2), ("a\u{b}b", 1)])
    func `other control characters are refused`(text: String, offset: Int) {
        let fault = #expect(throws: Fault.self) { try SOQLLiteral.text(text) }
        #expect(fault?.code == .invalidSOQL)
        #expect(fault?.offset == offset)
    }

    @Test(arguments: ["Name", "_a1", "Owner.Name", "A__c", "z"])
    func `names of fields are accepted`(name: String) throws {
        #expect(try SOQLName.checked(name) == name)
    }

    @Test(arguments: ["", "1a", ".a", "a b", "Name from User--", "a'", "é", "a,b", "a(", "@a", "[a", "a\0"])
    func `other texts are no names`(name: String) {
        let fault = #expect(throws: Fault.self) { try SOQLName.checked(name) }
        #expect(fault?.code == .invalidSync)
        #expect(name.isEmpty || fault?.message.contains(name) == false || name.count == 1)
    }
}
