import Soups
import Testing

@testable import OfflineSync

/// Rows as their bytes: which member a name finds, and what a row becomes.
@Suite struct RowTextTests {
    /// Rows with few members are looked through; those with many have an index.
    private static let widths = [0, 3, 64, 65, 200]

    /// A row with fields before its own members.
    private static func row(_ fields: Int, _ members: String) throws -> RowText {
        let others = (0..<fields).map { #""Field\#($0)":\#($0),"# }.joined()
        return try RowText(Array("{\(others)\(members)}".utf8))
    }

    private static func text(_ value: ArraySlice<UInt8>?) -> String? {
        value.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: widths)
    func `a name finds the last member that has it, however it is written`(fields: Int) throws {
        let row = try Self.row(fields, #""Name":"first","N\u0061me":"last","Nam":1,"Name2":"a\n\"b","":true"#)
        #expect(Self.text(row["Name"]) == #""last""# && row.value("Name") == .string("last"))
        #expect(Self.text(row["Nam"]) == "1" && row.value("Name2") == .string("a\n\"b"))
        #expect(row.isTrue("") && row["name"] == nil && row["Field200"] == nil)
        #expect(fields == 0 || Self.text(row["Field0"]) == "0")
    }

    @Test(arguments: widths)
    func `changed members keep their places, and new ones come last`(fields: Int) throws {
        let row = try Self.row(fields, #""b" : 1,"\u0061":2,"c":3,"b":4"#)
        let others = (0..<fields).map { #""Field\#($0)":\#($0),"# }.joined()
        let changed = row.replacing([
            ("a", Array("20".utf8)), ("b", Array("10".utf8)), ("c", nil), ("d", Array("40".utf8)), ("e", nil),
        ])
        #expect(String(decoding: changed, as: UTF8.self) == "{\(others)" + #""b" : 10,"\u0061":20,"d":40}"#)
    }
}
