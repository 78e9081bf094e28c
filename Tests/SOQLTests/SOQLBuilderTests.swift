import SOQL
import Soups
import Testing

@Suite struct SOQLBuilderTests {
    @Test(arguments: [
        (
            SOQLBuilder(
                fields: ["Id", "Name"], from: "Account", where: "A = 1", orderBy: "Name", limit: 10, offset: 5),
            "select Id, Name from Account where A = 1 order by Name limit 10 offset 5"
        ),
        (
            SOQLBuilder(fields: ["Id"], from: "Account", groupBy: "Name", having: "count(Id) > 1", limit: 0),
            "select Id from Account group by Name having count(Id) > 1"
        ),
        (
            SOQLBuilder(
                fields: ["Id, (select Id from Contacts)"], from: "Account a", where: "A = '('",
                with: "SECURITY_ENFORCED", groupBy: "B", limit: -1, offset: -5),
            "select Id, (select Id from Contacts) from Account a where A = '(' with SECURITY_ENFORCED group by B"
        ),
    ])
    func `parts are written in the order of clauses`(builder: SOQLBuilder, text: String) throws {
        #expect(try builder.text() == text)
        #expect(try SOQLQuery(text).text == text)
    }

    @Test(arguments: [
        (SOQLBuilder(from: "Account"), "no field selected", nil),
        (SOQLBuilder(fields: [" "], from: "Account"), "no field selected", nil),
        (SOQLBuilder(fields: ["Id"]), "no table specified", nil),
        (SOQLBuilder(fields: ["Id", ""], from: "Account"), "element 2", nil),
        (SOQLBuilder(fields: ["Id"], from: "Account", where: "A = 'x"), "quote", 4),
        (SOQLBuilder(fields: ["Id"], from: "Account", having: "count(Id"), "parenthesis", 5),
    ])
    func `what makes no query is refused`(builder: SOQLBuilder, message: String, offset: Int?) {
        let fault = #expect(throws: Fault.self) { try builder.text() }
        #expect(fault?.code == .invalidSOQL)
        #expect(fault?.message.contains(message) == true)
        #expect(fault?.offset == offset)
    }
}
