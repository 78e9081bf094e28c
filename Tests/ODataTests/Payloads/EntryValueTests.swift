import Foundation
import OData
import Testing

/// Typed getters and decoding.
@Suite struct EntryValueTests {
    private static func entry(_ text: String, _ version: ODataVersion? = nil) throws -> ODataEntry {
        guard
            case .entry(let entry) = try ODataPayload(
                reading: Array(text.utf8), options: PayloadOptions(version: version))
        else {
            throw Fault(.invalidArguments, "not an entry")
        }
        return entry
    }

    private static let text = """
        {"@odata.id":"A(1)","I":3000000000,"S":"x","D":2.50,"N":null,"F":true,"L":["a","b"],\
        "G":"3f2504e0-4f89-11d3-9a0c-0305e82c3301","T":"2013-01-01T00:00:00.5Z","C":{"City":"Rome","Zip":5},\
        "B@odata.type":"Binary","B":"AQI=","Items":[{"@odata.id":"B(1)","Q":1},{"@odata.id":"B(2)","Q":2}],"Main":null}
        """

    @Test func `getters give the value as the type that is asked for`() throws {
        let entry = try Self.entry(Self.text)
        #expect(try entry.value("I") == Int64(3_000_000_000))
        #expect(try entry.value("D", as: Double.self) == 2.5)
        #expect(try entry.value("D", as: EdmDecimal.self) == EdmDecimal("2.5"))
        #expect(try entry.value("L") == ["a", "b"])
        #expect(try entry.value("B") == [UInt8]([1, 2]))
        #expect(try entry.value("F") == true)
        #expect(try entry.value("G", as: EdmGuid.self) == EdmGuid("3f2504e0-4f89-11d3-9a0c-0305e82c3301"))
        #expect(try entry.value("N", as: String.self) == nil)
        #expect(try entry.value("Missing", as: String.self) == nil)
        #expect(entry.related("Items")?.count == 2)
        #expect(entry.related("Main")?.isEmpty == true || entry["Main"]?.isNull == true)
        #expect(entry.related("Missing") == nil)
    }

    @Test func `a decoder that has asked for all keys finds control information too`() throws {
        struct Named: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        struct Keys: Decodable {
            let names: [String]
            let tag: String?
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Named.self)
                names = container.allKeys.map(\.stringValue)
                tag = try container.decodeIfPresent(String.self, forKey: Named(stringValue: "@odata.etag"))
            }
        }
        let keys = try Self.entry(#"{"@odata.context":"$metadata#A/$entity","@odata.etag":"W/1","Name":"x"}"#).decode(
            Keys.self)
        #expect(keys.names == ["Name"] && keys.tag == "W/1")
    }

    @Test func `a value of another type is a mismatch`() throws {
        let entry = try Self.entry(Self.text)
        func code(_ work: () throws(Fault) -> Void) -> Fault.Code? {
            do throws(Fault) {
                try work()
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code { () throws(Fault) in _ = try entry.value("I", as: Int32.self) } == .typeMismatch)
        #expect(code { () throws(Fault) in _ = try entry.value("D", as: Int.self) } == .typeMismatch)
        #expect(code { () throws(Fault) in _ = try entry.value("S", as: Int.self) } == .typeMismatch)
        #expect(code { () throws(Fault) in _ = try entry.value("F", as: Int.self) } == .typeMismatch)
        #expect(code { () throws(Fault) in _ = try entry.value("L", as: [Int].self) } == .typeMismatch)
    }

    struct Whole: Decodable, Equatable {
        struct Address: Decodable, Equatable {
            var City: String
            var Zip: UInt16
        }
        struct Item: Decodable, Equatable { var Q: Int }

        var I: UInt64
        var S: String
        var D: Decimal
        var N: Int?
        var F: Bool
        var L: [String]
        var G: UUID
        var T: Date
        var C: Address
        var B: Data
        var Items: [Item]
        var Missing: String?
    }

    @Test func `a type is decoded from properties and expanded entries`() throws {
        let whole = try Self.entry(Self.text).decode(Whole.self)
        #expect(
            whole.I == 3_000_000_000 && whole.D == Decimal(string: "2.5") && whole.L == ["a", "b"] && whole.N == nil)
        #expect(whole.G == UUID(uuidString: "3f2504e0-4f89-11d3-9a0c-0305e82c3301"))
        #expect(whole.T == Date(timeIntervalSince1970: 1_356_998_400.5) && whole.B == Data([1, 2]))
        #expect(whole.C == .init(City: "Rome", Zip: 5) && whole.Items == [.init(Q: 1), .init(Q: 2)])
    }

    @Test func `what does not fit is named by its path`() throws {
        struct Wrong: Decodable {
            struct Item: Decodable { var Q: String }
            var Items: [Item]
        }
        do {
            _ = try Self.entry(Self.text).decode(Wrong.self)
            Issue.record("a number was decoded as a string")
        } catch DecodingError.typeMismatch(_, let context) {
            #expect(context.codingPath.map(\.stringValue) == ["Items", "0", "Q"])
        }
        struct Absent: Decodable { var Nothing: Int }
        #expect(throws: DecodingError.self) { try Self.entry(Self.text).decode(Absent.self) }
        struct Null: Decodable { var N: Int }
        #expect(throws: DecodingError.self) { try Self.entry(Self.text).decode(Null.self) }
    }

    @Test(arguments: [
        ("{\"d\":{\"__metadata\":{\"uri\":\"A(1)\"},\"S\":\"x\"}}", "A(1)"),
        ("{\"odata.metadata\":\"http://s/$metadata#A/@Element\",\"odata.id\":\"A(1)\",\"S\":\"x\"}", "A(1)"),
        ("{\"@odata.context\":\"$metadata#A/$entity\",\"@odata.id\":\"A(1)\",\"S\":\"x\"}", "A(1)"),
        ("{\"@context\":\"$metadata#A/$entity\",\"@id\":\"A(1)\",\"S\":\"x\"}", "A(1)"),
    ])
    func `the version is guessed from the payload`(text: String, id: String) throws {
        let entry = try Self.entry(text)
        #expect(entry.id?.text == id && entry.properties.map(\.name) == ["S"])
        // One byte at a time, nothing is decided too early.
        var reader = ODataPayloadReader(options: PayloadOptions())
        for byte in text.utf8 {
            try reader.append([byte])
        }
        try reader.finish()
        guard case .end(.entry(let found)) = try reader.next() else {
            Issue.record("no entry")
            return
        }
        #expect(found.id?.text == id)
    }
}
