import SOQL
import Soups
import Testing

@Suite struct SOQLMutationTests {
    /// A change of a query, by the name of the contract.
    enum Change {
        case addSelect(String)
        case replaceSelect(String)
        case addWhere(String)
        case orderBy(String)

        func applied(to query: SOQLQuery) throws(Fault) -> SOQLQuery {
            switch self {
            case .addSelect(let text): try query.addingSelect(text)
            case .replaceSelect(let text): try query.replacingSelect(with: text)
            case .addWhere(let text): try query.addingWhere(text)
            case .orderBy(let text): try query.replacingOrderBy(with: text)
            }
        }
    }

    private static let description = "SELECT Description FROM Account"
    private static let task =
        "select LastModifiedDate,Id, OwnerId, WhatId, Status, Subject, Priority, Description, ActivityDate, WhoId from Task "
        + "where (OwnerId = '<<<UserIDHERE>>>' OR (What.Type = 'Account' AND (Account.OwnerId = '<<<UserIDHERE>>>' OR "
        + "Account.Owner.ManagerId = '<<<UserIDHERE>>>'))) AND (LastModifiedDate > 2019-05-15T07:52:27.000Z )"
    private static let completing: [Change] = [
        .addSelect("LastModifiedDate"), .addSelect("Id"), .orderBy("LastModifiedDate"),
    ]

    @Test(
        arguments: [
            (description, [.addSelect("Name"), .addSelect("Id")], "select Id,Name,Description from Account"),
            (description, [.replaceSelect("Id")], "select Id from Account"),
            (
                description + " WHERE FirstName = 'James'", [.addWhere("LastModifiedDate > 123")],
                "select Description from Account where LastModifiedDate > 123 and FirstName = 'James'"
            ),
            (
                description, [.addWhere("LastModifiedDate > 123")],
                "select Description from Account where LastModifiedDate > 123"
            ),
            (description, [.orderBy("LastModifiedDate")], "select Description from Account order by LastModifiedDate"),
            (
                description + " ORDER BY Name", [.orderBy("LastModifiedDate")],
                "select Description from Account order by LastModifiedDate"
            ),
            (
                description + " LIMIT 1000", [.orderBy("LastModifiedDate")],
                "select Description from Account order by LastModifiedDate limit 1000"
            ),
            (description + " ORDER BY FirstName", [.orderBy("")], "select Description from Account"),
            (
                description + " ORDER BY FirstName LIMIT 1000", [.orderBy(" ")],
                "select Description from Account limit 1000"
            ),
            (
                "select Name from Account where Id IN ('001P000001NQPjJIAX','001P000001NQPkdIAH') order by Name",
                completing,
                "select Id,LastModifiedDate,Name from Account where Id IN ('001P000001NQPjJIAX','001P000001NQPkdIAH') "
                    + "order by LastModifiedDate"
            ),
            (
                "select Name from Account where ((Name = 'James Bond') or (Name = 'Batman')) and (Description like '%savior%') "
                    + "order by Name",
                completing,
                "select Id,LastModifiedDate,Name from Account where ((Name = 'James Bond') or (Name = 'Batman')) and "
                    + "(Description like '%savior%') order by LastModifiedDate"
            ),
            (
                task + " order by Description", [.orderBy("LastModifiedDate"), .orderBy("LastModifiedDate")],
                task + " order by LastModifiedDate"
            ),
            (
                "select Id from Account where Id != null or Name != null", [.addWhere("P")],
                "select Id from Account where P and (Id != null or Name != null)"
            ),
            (
                "select\nId,\tName\nfrom Account\nwhere Name = 'x'", [.addWhere("P")],
                "select Id,\tName from Account where P and Name = 'x'"
            ),
            (
                "select Id from Account limit 10 for view", [.orderBy("LastModifiedDate")],
                "select Id from Account order by LastModifiedDate limit 10 for view"
            ),
            (
                "select Id from Account with SECURITY_ENFORCED", [.addWhere("P")],
                "select Id from Account where P with SECURITY_ENFORCED"
            ),
            (
                "select Id from Account USING SCOPE mine WHERE A = 1", [.addWhere("P")],
                "select Id from Account using scope mine where P and A = 1"
            ),
            (
                "select Id from Account where (A = 1 or B = 2)", [.addWhere("P")],
                "select Id from Account where P and (A = 1 or B = 2)"
            ),
            (
                "select Id from Account where Name = 'x or y'", [.addWhere("P")],
                "select Id from Account where P and Name = 'x or y'"
            ),
            ("select Id from Account limit 0", [.orderBy("X")], "select Id from Account order by X limit 0"),
            (
                "select Id from Account where A = 1 or B = 2 order by X", [.addWhere("P"), .orderBy("")],
                "select Id from Account where P and (A = 1 or B = 2)"
            ),
            // Beyond the table.
            (
                "select Id from A where (B = 1)OR(C = 2)", [.addWhere("P"), .addWhere("Q")],
                "select Id from A where Q and P and ((B = 1)OR(C = 2))"
            ),
            ("select Id from A", [.addWhere(" P\n"), .addSelect("\tB ")], "select B,Id from A where P"),
        ] as [(String, [Change], String)])
    func `changes give the text of the table`(text: String, changes: [Change], printed: String) throws {
        var query = try SOQLQuery(text)
        for change in changes {
            query = try change.applied(to: query)
        }
        #expect(query.text == printed)
    }

    @Test func `a changed query answers like its text`() throws {
        let query = try SOQLQuery("select Name from Account").addingSelect("Id, A.B").replacingOrderBy(with: "Id asc")
        #expect(query.isSelecting("id") && query.isSelecting("A.B") && query.isSelecting("Name"))
        #expect(query.isAscending(by: "Id"))
        #expect(try query == SOQLQuery(query.text))
    }

    @Test(arguments: [
        (Change.addSelect(""), 0), (.replaceSelect("  "), 0), (.addWhere(""), 0), (.addWhere("A = 'x"), 4),
        (.orderBy("f(A"), 1), (.addSelect("A)"), 1),
    ])
    func `parts that would break a query are refused`(change: Change, offset: Int) throws {
        let query = try SOQLQuery("select Id from Account")
        let fault = #expect(throws: Fault.self) { try change.applied(to: query) }
        #expect(fault?.code == .invalidSOQL)
        #expect(fault?.offset == offset)
    }

    @Test func `queries do not grow beyond a mebibyte`() throws {
        let query = try SOQLQuery("select Id from Account where A = '\(String(repeating: "x", count: 1_000_000))'")
        let fault = #expect(throws: Fault.self) {
            try query.addingWhere("B = '\(String(repeating: "y", count: 100_000))'")
        }
        #expect(fault?.code == .limitExceeded)
    }
}
