import JSONText
import Soups
import Testing

@Suite struct QuerySpecJSONTests {
    private func read(_ text: String) throws -> QuerySpec { try QuerySpec(json: JSONValue(parsing: Array(text.utf8))) }

    @Test func `every member is read and keys keep their type`() throws {
        let spec = try read(
            #"{"queryType": "range", "indexPath": "n", "beginKey": 2, "endKey": 9.5, "orderPath": "m", "order": "descending", "pageSize": 3, "selectPaths": ["a", "a"], "new": 1}"#
        )
        #expect(
            spec
                == .range(
                    path: "n", from: 2, through: 9.5, orderPath: "m", order: .descending, pageSize: 3,
                    selectPaths: ["a", "a"]))
        #expect(
            try read(#"{"queryType": "exact", "indexPath": "n", "matchKey": true}"#)
                == .exact(path: "n", matchKey: true))
        #expect(
            try read(#"{"queryType": "exact", "indexPath": "n", "matchKey": "1"}"#) == .exact(path: "n", matchKey: "1"))
        #expect(
            try read(#"{"queryType": "smart", "smartSql": "select 1", "pageSize": 4}"#)
                == .smart("select 1", pageSize: 4))
    }

    @Test func `null is absent and defaults are the guide's`() throws {
        let spec = try read(
            #"{"queryType": "all", "indexPath": null, "orderPath": null, "order": null, "pageSize": null, "selectPaths": null}"#
        )
        #expect(spec == .all())
        #expect(spec.pageSize == 10)
    }

    @Test func `an order without a path is that of the condition`() throws {
        #expect(
            try read(#"{"queryType": "exact", "indexPath": "n", "matchKey": 1, "order": "descending"}"#).orderPath
                == "n")
        #expect(try read(#"{"queryType": "exact", "indexPath": "n", "matchKey": 1}"#).orderPath == nil)
        #expect(
            try read(#"{"queryType": "match", "indexPath": null, "matchKey": "a", "order": "descending"}"#).orderPath
                == nil)
    }

    @Test(arguments: [
        "[]", "{}", #"{"queryType": null}"#, #"{"queryType": "some"}"#, #"{"queryType": 1}"#,
        #"{"queryType": "all", "order": "up"}"#,
        #"{"queryType": "all", "order": 1}"#, #"{"queryType": "exact", "indexPath": "n"}"#,
        #"{"queryType": "exact", "indexPath": "n", "matchKey": null}"#,
        #"{"queryType": "exact", "matchKey": 1}"#, #"{"queryType": "exact", "indexPath": 3, "matchKey": 1}"#,
        #"{"queryType": "exact", "indexPath": "n", "matchKey": [1]}"#,
        #"{"queryType": "range", "indexPath": "n", "endKey": {}}"#,
        #"{"queryType": "range"}"#, #"{"queryType": "like", "indexPath": "n"}"#,
        #"{"queryType": "like", "likeKey": "n"}"#,
        #"{"queryType": "match", "indexPath": "n"}"#, #"{"queryType": "smart"}"#,
        #"{"queryType": "smart", "smartSql": 1}"#,
        #"{"queryType": "all", "pageSize": "10"}"#, #"{"queryType": "all", "pageSize": 2.5}"#,
        #"{"queryType": "all", "pageSize": 1e30}"#,
        #"{"queryType": "all", "selectPaths": "a"}"#, #"{"queryType": "all", "selectPaths": [1]}"#,
        #"{"queryType": "all", "selectPaths": []}"#,
    ]) func `malformed specs are refused`(_ text: String) throws {
        let fault = #expect(throws: Fault.self) { try read(text) }
        #expect(fault?.code == .invalidQuerySpec)
    }

    @Test(arguments: ["0", "-1", "-1e30", "0.5"]) func `a page size under one has its own code`(_ size: String) throws {
        let fault = #expect(throws: Fault.self) { try read(#"{"queryType": "all", "pageSize": \#(size)}"#) }
        #expect(fault?.code == .invalidPageSize)
    }

    @Test(arguments: [
        QuerySpec.all(orderPath: "n", order: .descending), .all(), .all(order: .descending),
        .exact(path: "n", matchKey: 1), .exact(path: "n", matchKey: 1.5),
        .range(path: "n", from: "a", orderPath: "n", selectPaths: ["x"]), .like(path: "n", likeKey: "a%", pageSize: 3),
        .match(matchKey: "a"),
        .match(path: "n", matchKey: "a", orderPath: "m"), .smart("select 1"), .exact(path: "n", matchKey: false),
    ]) func `the JSON form reads back as the same spec`(_ spec: QuerySpec) throws {
        #expect(try QuerySpec(json: spec.json) == spec)
    }
}
