import SOQL
import Soups
import Testing

/// The table of clauses of the specification: what is selected, what orders, and the texts that changes give.
@Suite struct SOQLQueryTests {
    @Test(arguments: [
        "select Id, Name from Account where Id in (select Id from Account) and Name like 'Mad Max' limit 1000",
        "select Id, Limit from Account",
        "select Id from Account limit 10 for view",
        "select Id from Account where A = :x limit :n offset :m",
        "select Id from Account using scope mine where A = 1 with SECURITY_ENFORCED group by Id having count(Id) > 1 "
            + "order by Id limit 1 offset 2 for view update tracking all rows",
    ])
    func `queries in canonical form print unchanged`(text: String) throws {
        #expect(try SOQLQuery(text).text == text)
    }

    @Test(arguments: [
        ("  SELECT  Id\tFROM\nAccount  ", "select Id from Account"),
        ("select Id from Account where(A = 1)", "select Id from Account where (A = 1)"),
        ("select Id from Account FOR VIEW", "select Id from Account for VIEW"),
        ("select Id from Account ALL ROWS", "select Id from Account all ROWS"),
        ("select Id from Account FOR  update UPDATE\tVIEWSTAT", "select Id from Account for update update VIEWSTAT"),
        ("select Id from Account FOR VIEW, reference", "select Id from Account for VIEW, reference"),
        ("select Id from Account USING \n SCOPE mine", "select Id from Account using scope mine"),
        ("select Id from Account ORDER   BY  Name", "select Id from Account order by Name"),
        ("select Id from Account where", "select Id from Account"),
        ("select Id from Account limit 0", "select Id from Account limit 0"),
        // Words that are not keywords at these points.
        ("select Where, Limit from Account", "select Where, Limit from Account"),
        ("select from FROM Account", "select from from Account"),
        ("select Id, from FROM Account", "select Id, from from Account"),
        ("select Id from Where", "select Id from Where"),
        ("select Id from Account where A = LIMIT LIMIT 5", "select Id from Account where A = LIMIT limit 5"),
        ("select Id from Account where A <\tLIMIT LIMIT 5", "select Id from Account where A <\tLIMIT limit 5"),
        ("select Id from Account order by LIMIT LIMIT 5", "select Id from Account order by LIMIT limit 5"),
        ("select Id from Account order by A, LIMIT LIMIT 5", "select Id from Account order by A, LIMIT limit 5"),
        ("select Id from Account limit 5 WHERE A", "select Id from Account limit 5 WHERE A"),
        ("select Id from Account FOR me", "select Id from Account FOR me"),
        ("select Id from Account ALL", "select Id from Account ALL"),
        ("select Id from Account USING me", "select Id from Account USING me"),
        ("select Id from Account where A = 'x'LIMIT 3", "select Id from Account where A = 'x' limit 3"),
    ])
    func `queries print in canonical form`(text: String, printed: String) throws {
        let query = try SOQLQuery(text)
        #expect(query.text == printed)
        #expect(try SOQLQuery(printed).text == printed)
    }

    @Test func `clauses have their texts`() throws {
        let query = try SOQLQuery("select Id , Name from Account where A = ' limit 3' limit 5 for view")
        #expect(query[.select] == "Id , Name")
        #expect(query[.from] == "Account")
        #expect(query[.where] == "A = ' limit 3'")
        #expect(query[.limit] == "5")
        #expect(query[.for] == "view")
        #expect(query[.orderBy] == nil)
    }

    @Test(arguments: [
        ("", 0), ("from Account", 0), ("  hello", 0), ("'select' Id from Account", 0), ("select", 6), ("select Id", 9),
        ("select Id ", 10), ("select Id from", 14), ("select Id from  ", 16), ("select from Account", 19),
        ("select 'a from b", 7), ("select (a from b", 7), ("select Id) from b", 9), ("selectId from Account", 0),
        ("select Id from Account where Name = 'x", 36),
    ])
    func `malformed queries are faults with an offset`(text: String, offset: Int) {
        let fault = #expect(throws: Fault.self) { try SOQLQuery(text) }
        #expect(fault?.code == .invalidSOQL)
        #expect(fault?.offset == offset)
    }

    @Test func `equal texts are equal queries`() throws {
        #expect(try SOQLQuery("SELECT Id FROM A") == SOQLQuery("select  Id from A"))
        #expect(try SOQLQuery("select Id from A") != SOQLQuery("select id from A"))
        #expect(try Set([SOQLQuery("SELECT Id FROM A"), SOQLQuery("select Id  from A")]).count == 1)
    }
}
