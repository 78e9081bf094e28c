import SOQL
import Testing

/// The examples in the documentation of the types.
@Suite struct SOQLExamples {
    @Test func `the example of SOQLToken`() throws {
        // Example: Sources/SOQL/Lexer/SOQLToken.swift
        let tokens = try SOQLToken.tokens(of: "Id in (select Id from Account) order  by Name")
        let texts = tokens.map(\.text)  // Id, in, (select Id from Account), order by, Name, and blanks
        // End of example
        #expect(texts == ["Id", " ", "in", " ", "(select Id from Account)", " ", "order by", " ", "Name"])
    }

    @Test func `the example of SOQLQuery`() throws {
        // Example: Sources/SOQL/Mutation/SOQLQuery.swift
        let query = try SOQLQuery("SELECT Name FROM Account WHERE Industry = 'Tea' OR Rating > 3 LIMIT 100")
        let completed = try query.addingSelect("Id").addingWhere("LastModifiedDate > 2026-05-04T00:00:00Z")
            .replacingOrderBy(with: "LastModifiedDate")
        let text = completed.text
        // select Id,Name from Account where LastModifiedDate > 2026-05-04T00:00:00Z and (Industry = 'Tea' OR Rating > 3)
        // order by LastModifiedDate limit 100
        // End of example
        #expect(
            text == "select Id,Name from Account where LastModifiedDate > 2026-05-04T00:00:00Z and "
                + "(Industry = 'Tea' OR Rating > 3) order by LastModifiedDate limit 100")
    }

    @Test func `the example of SOQLLiteral`() throws {
        // Example: Sources/SOQL/Escaping/SOQLLiteral.swift
        let condition = "Name = " + (try SOQLLiteral.text("O'Neil"))  // Name = 'O\'Neil'
        // End of example
        #expect(condition == #"Name = 'O\'Neil'"#)
    }

    @Test func `the example of SOQLBuilder`() throws {
        // Example: Sources/SOQL/Building/SOQLBuilder.swift
        let builder = SOQLBuilder(fields: ["Id", "Name"], from: "Account", where: "Rating > 3", limit: 10)
        let text = try builder.text()  // select Id, Name from Account where Rating > 3 limit 10
        // End of example
        #expect(text == "select Id, Name from Account where Rating > 3 limit 10")
    }

    @Test func `the example of SOSLBuilder`() throws {
        // Example: Sources/SOQL/Building/SOSLBuilder.swift
        let contacts = SOSLReturning(objectName: "Contact", fields: ["Id", "Name"], limit: 5)
        let builder = SOSLBuilder(term: "O'Neil", searchGroup: "NAME FIELDS", returning: [contacts])
        let text = try builder.text()  // find {O\'Neil} in NAME FIELDS returning  Contact(Id, Name limit 5)
        // End of example
        #expect(text == #"find {O\'Neil} in NAME FIELDS returning  Contact(Id, Name limit 5)"#)
    }

    @Test func `the example of landingPage`() throws {
        // Example: Sources/SOQL/SOQL.docc/SOQL.md
        let query = try SOQLQuery("select Name from Contact").addingSelect("Id").addingWhere("IsActive = true")
        let text = query.text  // select Id,Name from Contact where IsActive = true
        // End of example
        #expect(text == "select Id,Name from Contact where IsActive = true")
    }
}
