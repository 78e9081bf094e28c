import SOQL
import Testing

@Suite struct SOQLSelectionTests {
    @Test(arguments: [
        ("SELECT Id, Name FROM Account", "Id", true),
        ("SELECT Id, Name FROM Account", "Name", true),
        ("SELECT Id, Name FROM Account", "Description", false),
        ("SELECT Id FROM Account WHERE Name like 'James%'", "Name", false),
        ("SELECT Name, (SELECT LastName FROM Contacts) FROM Account", "LastName", false),
        ("SELECT LastName FROM Account", "Name", false),
        ("select id, FIELDS(CUSTOM) from Account", "Id", true),
        ("select id, FIELDS(CUSTOM) from Account", "LastModifiedDate", false),
        ("select id, FIELDS(CUSTOM) from Account", "A__c", true),
        ("select fields( all ) from Account", "A__c", true),
        ("select Fields (STANDARD) from Account", "Name", true),
        ("select FIELDS(STANDARD) from Account", "A__C", false),
        ("select FIELDS(OTHER) from Account", "Name", false),
        ("select Id, Limit from Account", "Limit", true),
        ("select id, (select Name from Contacts) from Account", "Name", false),
        ("select Name n, Id i from Account", "Name", true),
        ("select Name n, Id i from Account", "n", false),
        ("select count(Id) Total,Id from Account", "Id", true),
        ("select count(Id) Id from Account", "Id", false),
        ("select toLabel(Id)from Account", "toLabel", false),
        ("select a,Id,b from Account", "id", true),
        ("select Owner.Name from Account", "owner.name", true),
        ("select Owner.Name from Account", "Name", false),
        ("select Idx from Account", "Id", false),
        ("select Id,,Name from Account", "", false),
        ("select TYPEOF Owner WHEN User THEN Phone, Id END from Case", "Id", false),
        ("select TYPEOF Owner WHEN User THEN Phone ELSE Id END, Id from Case", "Id", true),
        ("select Été from Account", "Été", true),
    ])
    func `selected fields are those at top level`(text: String, field: String, isSelecting: Bool) throws {
        #expect(try SOQLQuery(text).isSelecting(field) == isSelecting)
    }

    @Test(arguments: [
        ("SELECT LastName FROM Account", "LastModifiedDate", false),
        ("SELECT LastName FROM Account ORDER BY LastModifiedDate", "LastModifiedDate", true),
        (
            "SELECT LastName FROM Account WHERE Id IN (SELECT Id FROM Account ORDER BY LastModifiedDate)",
            "LastModifiedDate", false
        ),
        ("SELECT LastName FROM Account ORDER BY FirstName", "LastModifiedDate", false),
        ("select Id from Account order by a ,\tb desc", "a, b   desc", true),
        ("select Id from Account order by a", "A", false),
        ("select Id from Account", "", false),
    ])
    func `orders are compared without blanks`(text: String, order: String, isOrdering: Bool) throws {
        #expect(try SOQLQuery(text).isOrdering(by: order) == isOrdering)
    }

    @Test(arguments: [
        ("SELECT Description FROM Account ORDER BY FirstName LIMIT 1000", true),
        ("SELECT Description FROM Account WHERE Id IN (SELECT Id FROM Account ORDER BY FirstName) LIMIT 1000", false),
        (#"SELECT Description FROM Account WHERE Name = ' order by \' order by \''"#, false),
        ("SELECT Description FROM Account LIMIT 1000", false),
    ])
    func `orders are found at top level only`(text: String, hasOrderBy: Bool) throws {
        #expect(try SOQLQuery(text).hasOrderBy == hasOrderBy)
    }

    @Test(arguments: [
        ("Date", true), ("date ASC", true), ("Date nulls first", true), ("Date asc NULLS FIRST, Name desc", true),
        ("Date,Name", true), ("Date desc", false), ("Date nulls last", false), ("Date asc nulls last", false),
        ("Name, Date", false), ("f(Date)", false), ("Date nulls", false), ("Dates", false),
    ])
    func `ascending orders begin with the field alone`(order: String, isAscending: Bool) throws {
        let query = try SOQLQuery("select Id from Account order by \(order)")
        #expect(query.isAscending(by: "Date") == isAscending)
    }

    @Test func `a query without order is not ascending`() throws {
        #expect(try !SOQLQuery("select Id from Account").isAscending(by: "Id"))
    }
}
