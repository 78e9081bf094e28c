import JSONText
import LocalChanges
import Soups
import Testing

@testable import OData
@testable import OfflineOData

/// Stored rows that an arrived one replaces as a whole.
@Suite struct RowReplacementTests {
    private static let flags = ReservedField.flags.map { #""\#($0)":false"# }.joined(separator: ",")
    private static let store = #""_soupEntryId":7,"_soupLastModifiedDate":1"#

    private func row(_ properties: String, control: String? = #"{"etag":"1"}"#, flags: String = Self.flags) -> String {
        let control = control.map { #","__odata__":\#($0)"# } ?? ""
        return #"{\#(properties),"__key__":"1",\#(flags)\#(control)"#
    }

    private func id(_ stored: String, _ arrived: String, in fields: String = Self.store) -> Int64? {
        RowReplacement().id(of: Array("\(stored),\(fields)}".utf8), replacedBy: Array("\(arrived)}".utf8))
    }

    @Test func `a row with the same members is replaced`() {
        #expect(id(row(#""Id":1,"A":1"#), row(#""Id":1,"A":{"x":[2]}"#)) == 7)
        #expect(id(row(#""Id":1"#, control: nil), row(#""Id":2"#, control: nil)) == 7)
        #expect(id(row(#""Id":1"#), row(#""Id":1"#, control: #"{"etag":"2"}"#)) == 7)
    }

    @Test func `a row that may be the same is not replaced`() {
        #expect(id(row(#""Id":1,"A":"x\/y""#), row(#""Id":1,"A":"x/y""#)) == nil)
        #expect(id(row(#""Id":1,"A":[1, 2]"#), row(#""Id":1,"A":[1,2]"#)) == nil)
        #expect(id(row(#""Id": 1"#), row(#""Id":1"#)) == nil)
        #expect(id(row(#""Id":1"#), row(#""Id":1"#)) == nil)
    }

    @Test func `a row with other members is not replaced`() {
        let known = row(#""Id":1,"A":1,"B":2"#)
        #expect(id(known, row(#""Id":1,"A":3"#)) == nil)
        #expect(id(row(#""Id":1,"A":3"#), known) == nil)
        #expect(id(known, row(#""Id":1,"B":3,"A":1"#)) == nil)
        #expect(id(known, row(#""Id":1,"A":3,"C":2"#)) == nil)
        #expect(id(known, row(#""Id":1,"A":3,"B":2"#), in: #""Mine":1,\#(Self.store)"#) == nil)
        #expect(id(row(#""Id":1,"\u0041":1"#), row(#""Id":1,"A":3"#)) == nil)
    }

    @Test func `a row with other control information is not replaced`() {
        let plain = row(#""Id":1"#)
        #expect(id(plain, row(#""Id":2"#, control: nil)) == nil)
        #expect(id(row(#""Id":2"#, control: nil), plain) == nil)
        #expect(id(row(#""Id":2"#, control: #"{"etag":"1","partial":true}"#), plain) == nil)
        #expect(id(plain, row(#""Id":2"#, control: #"{"etag":"1","type":"N.B"}"#)) == nil)
    }

    @Test(arguments: ReservedField.flags) func `a row that was changed here is not replaced`(flag: String) {
        let flags = ReservedField.flags.map { #""\#($0)":\#($0 == flag)"# }.joined(separator: ",")
        #expect(id(row(#""Id":1"#, flags: flags), row(#""Id":2"#)) == nil)
    }

    @Test func `a damaged row is not replaced`() {
        #expect(id(row(#""Id":1"#), row(#""Id":2"#), in: #""_soupEntryId":"#) == nil)
        #expect(id(row(#""Id":1"#), row(#""Id":2"#), in: #""_soupEntryId":null"#) == nil)
    }
}
