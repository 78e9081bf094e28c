import EntryCoding
import Foundation
import JSONText
import Soups
import TestSupport
import Testing

/// Compares the coders of this package with those of Foundation: APP-41.
@Suite struct FoundationCodersTests {
    @Test func `each pair reads what the other has written`() throws {
        let value = Everything()
        let own = try EntryEncoder().encode(value)
        let theirs = Array(try JSONEncoder().encode(value))
        #expect(try JSONDecoder().decode(Everything.self, from: Data(own)) == value)
        #expect(try EntryDecoder().decode(Everything.self, from: theirs) == value)
        #expect(try EntryDecoder().decode(Everything.self, from: own) == value)
        #expect(try JSONValue(parsing: own) == JSONValue(parsing: theirs))
        #expect(try EntryDecoder().decode(Everything.self, from: own).zero.sign == .minus)
    }

    @Test func `a type that catches an error goes on without that member`() throws {
        /// Fails after it has written a member.
        struct Half: Encodable {
            enum CodingKeys: CodingKey { case whole, broken }

            func encode(to encoder: any Encoder) throws {
                var members = encoder.container(keyedBy: CodingKeys.self)
                try members.encode([1], forKey: .whole)
                try members.encode(Double.infinity, forKey: .broken)
            }
        }
        /// Encodes something else where the first value fails.
        struct Other: Encodable {
            func encode(to encoder: any Encoder) throws {
                var value = encoder.singleValueContainer()
                do {
                    try value.encode(["a": Double.nan])
                } catch {
                    try value.encodeNil()
                }
            }
        }
        struct Careful: Encodable {
            enum CodingKeys: CodingKey { case number, half, list, other, after }

            func encode(to encoder: any Encoder) throws {
                var members = encoder.container(keyedBy: CodingKeys.self)
                try? members.encode(Double.nan, forKey: .number)
                try? members.encode(Half(), forKey: .half)
                var list = members.nestedUnkeyedContainer(forKey: .list)
                try? list.encode(Half())
                try list.encode(["a": 1])
                try? list.encode(Half())
                try? list.encode(Float.nan)
                try list.encode(2)
                try members.encode(Other(), forKey: .other)
                try members.encode("b", forKey: .after)
            }
        }
        // Foundation's encoder puts the member of the value that failed into the element before it.
        let own = try EntryEncoder().encode(Careful())
        #expect(String(decoding: own, as: UTF8.self) == #"{"list":[{"a":1},2],"other":null,"after":"b"}"#)
    }

    @Test func `options agree with strategies`() throws {
        struct Sample: Codable, Equatable {
            var firstName = "a"
            var myURLPath = "b"
            var x = 1
            var when = Date(timeIntervalSince1970: 1_700_000_000)
            var bytes = Data([1, 2])
            var words = ["camelCase": 1]
        }
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.dataEncodingStrategy = .deferredToData
        decoder.dateDecodingStrategy = .iso8601
        decoder.dataDecodingStrategy = .deferredToData
        var options = CodingOptions()
        options.keys = .snakeCase
        options.dates = .iso8601
        options.data = .bytes
        let own = try EntryEncoder(options).encode(Sample())
        let theirs = Array(try encoder.encode(Sample()))
        #expect(try JSONValue(parsing: own) == JSONValue(parsing: theirs))
        #expect(try EntryDecoder(options).decode(Sample.self, from: theirs) == Sample())
        for (dates, strategy) in [
            (CodingOptions.DateCoding.seconds, JSONEncoder.DateEncodingStrategy.secondsSince1970),
            (.milliseconds, .millisecondsSince1970),
        ] {
            options.dates = dates
            encoder.dateEncodingStrategy = strategy
            #expect(
                try JSONValue(parsing: EntryEncoder(options).encode(Sample()))
                    == JSONValue(parsing: Array(encoder.encode(Sample()))))
        }
        options.dates = .custom(
            encode: { date, encoder in
                var container = encoder.singleValueContainer()
                try container.encode("at \(Int(date.timeIntervalSince1970))")
            },
            decode: { decoder in
                let text = try decoder.singleValueContainer().decode(String.self)
                return Date(timeIntervalSince1970: Double(text.dropFirst(3)) ?? 0)
            })
        let custom = try EntryEncoder(options).encode(Sample())
        #expect(custom.contains("\"at 1700000000\"".utf8))
        #expect(try EntryDecoder(options).decode(Sample.self, from: custom) == Sample())
    }

    @Test(arguments: [
        "a", "A", "aB", "aBC", "aBCd", "myURLProperty", "HTTPServer", "a1B2", "x_y", "_aB_", "", "ÄpfelBaum",
    ])
    func `names in snake case`(_ name: String) throws {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.keyEncodingStrategy = .convertToSnakeCase
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var options = CodingOptions()
        options.keys = .snakeCase
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        struct One: Encodable {
            let name: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: Key(stringValue: name))
            }
        }
        struct Names: Decodable {
            let names: [String]
            init(from decoder: any Decoder) throws {
                names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
            }
        }
        let written = Array(try encoder.encode(One(name: name)))
        #expect(try EntryEncoder(options).encode(One(name: name)) == written)
        #expect(
            try EntryDecoder(options).decode(Names.self, from: written).names
                == decoder.decode(Names.self, from: Data(written)).names)
    }

    @Test func `with names in snake case, names that need no conversion are found too, and allKeys gives no other`()
        throws
    {
        struct Sample: Codable, Equatable {
            var firstName: String
            var a1B: Int
        }
        struct Names: Decodable {
            let all: [String: Int]

            struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                let pairs = try container.allKeys.map { ($0.stringValue, try container.decode(Int.self, forKey: $0)) }
                all = Dictionary(uniqueKeysWithValues: pairs)
                #expect(!container.contains(Key(stringValue: "first_name")))
            }
        }
        var options = CodingOptions()
        options.keys = .snakeCase
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        for text in [#"{"firstName":"x","a1B":1}"#, #"{"first_name":"x","a1_b":1}"#] {
            let value = try EntryDecoder(options).decode(Sample.self, from: Array(text.utf8))
            #expect(try value == decoder.decode(Sample.self, from: Data(text.utf8)))
        }
        let numbers = Array(#"{"first_name":1,"a1B":2,"_x_y":3}"#.utf8)
        let names = try EntryDecoder(options).decode(Names.self, from: numbers).all
        #expect(try names == decoder.decode(Names.self, from: Data(numbers)).all)
    }

    @Test func `containers may be filled in any order, and classes have their super`() throws {
        let value = OutOfTurn(first: [1, 2, 3], second: ["a": 4, "b": 5], last: 6)
        let text = try EntryEncoder().encode(value)
        #expect(try JSONDecoder().decode(OutOfTurn.self, from: Data(text)) == value)
        #expect(try EntryDecoder().decode(OutOfTurn.self, from: text) == value)
        let dog = try EntryDecoder().decode(Dog.self, from: EntryEncoder().encode(Dog(name: "Rex", age: 3)))
        #expect(dog.name == "Rex" && dog.age == 3)
        let theirs = try JSONDecoder().decode(Dog.self, from: Data(EntryEncoder().encode(dog)))
        #expect(theirs.name == "Rex" && theirs.age == 3)
    }

    @Test func `numbers that do not fit are refused with the coding path`() throws {
        #expect(path(Int8.self, "128") == "list.Index 1")
        #expect(path(UInt.self, "-1") == "list.Index 1")
        #expect(path(Int.self, "9223372036854775808") == "list.Index 1")
        #expect(path(Int.self, "1.5") == "list.Index 1")
        #expect(path(Double.self, "1e400") == "list.Index 1")
        #expect(path(Float.self, "1e39") == "list.Index 1")
        #expect(path(Int.self, "1.0") == nil)
        #expect(path(UInt64.self, "18446744073709551615") == nil)
        // Whole numbers that are written with a point or an exponent are exact too.
        #expect(path(UInt64.self, "12345678901234567890.123456789") == "list.Index 1")
        #expect(path(UInt64.self, "18446744073709551616.0") == "list.Index 1")
        #expect(path(Int.self, "1e400") == "list.Index 1")
        #expect(path(UInt64.self, "0.1e-99999999999999999999999999") == "list.Index 1")
        let exact = try EntryDecoder().decode(
            [UInt64].self, from: Array("[18446744073709551615.0,1844674407370955161.5e1]".utf8))
        #expect(exact == [.max, .max])
        #expect(
            try EntryDecoder().decode([Int128].self, from: Array("[-170141183460469231731687303715884105728e0]".utf8))
                == [.min])
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(throws: EncodingError.self) { try EntryEncoder().encode(["a": value]) }
        }
    }

    @Test func `the coding path of a value in a dictionary has its key, also in snake case`() throws {
        struct Rates: Encodable {
            var dailyRates = ["a": Double.nan]
        }
        var options = CodingOptions()
        options.keys = .snakeCase
        let error = #expect(throws: EncodingError.self) { try EntryEncoder(options).encode(Rates()) }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["dailyRates", "a"])
    }

    @Test func `each of many values that fail has its coding path`() throws {
        struct Tried: Decodable {
            let paths: [String]

            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                var paths: [String] = []
                while !container.isAtEnd {
                    do {
                        _ = try container.decode(Bool.self)
                    } catch DecodingError.typeMismatch(_, let context) {
                        paths.append(context.codingPath.last?.intValue.map { String($0) } ?? "")
                        _ = try container.decode(String.self)
                    }
                }
                self.paths = paths
            }
        }
        let text = "[" + (0..<3000).map { "\"\($0)\"" }.joined(separator: ",") + "]"
        let tried = try EntryDecoder().decode(Tried.self, from: Array(text.utf8))
        #expect(tried.paths == (0..<3000).map { String($0) })
    }

    @Test func `errors name what was expected and never the value`() throws {
        struct Person: Codable {
            var name: String
            var ages: [Int]
        }
        do {
            _ = try EntryDecoder().decode(Person.self, from: Array(#"{"name":"x","ages":[1,"SECRET"]}"#.utf8))
            Issue.record("nothing was thrown")
        } catch DecodingError.typeMismatch(_, let context) {
            #expect(context.codingPath.map(\.stringValue) == ["ages", "Index 1"])
            #expect((context.underlyingError as? Fault)?.offset == 22)
            #expect(!"\(context)".contains("SECRET"))
        }
        do {
            _ = try EntryDecoder().decode(Person.self, from: Array(#"{"ages":[]}"#.utf8))
        } catch DecodingError.keyNotFound(let key, let context) {
            #expect(key.stringValue == "name" && context.codingPath.isEmpty)
        }
        #expect(throws: DecodingError.self) { try EntryDecoder().decode(Person.self, from: Array("{".utf8)) }
        let deep = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
        #expect(throws: DecodingError.self) { try EntryDecoder().decode(Person.self, from: Array(deep.utf8)) }
    }

    @Test func `a value inside another one that encodes nothing is an empty object`() throws {
        struct Nothing: Encodable {
            func encode(to encoder: any Encoder) throws {}
        }
        struct Wrapped: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(Nothing())
            }
        }
        #expect(try EntryEncoder().encode(Wrapped()) == Array(JSONEncoder().encode(Wrapped())))
        #expect(try EntryEncoder().encode([Nothing()]) == Array("[{}]".utf8))
        #expect(throws: EncodingError.self) { try EntryEncoder().encode(Nothing()) }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(Nothing()) }
    }

    @Test func `of two members with one name the last counts`() throws {
        let text = Array(#"{"a":1,"b":2,"a":3}"#.utf8)
        #expect(try EntryDecoder().decode([String: Int].self, from: text) == ["a": 3, "b": 2])
    }

    @Test func `a decoder that is kept after its call throws`() throws {
        final class Keeper: Decodable {
            let decoder: any Decoder
            let container: any UnkeyedDecodingContainer
            init(from decoder: any Decoder) throws {
                self.decoder = decoder
                container = try decoder.unkeyedContainer()
            }
        }
        let decoder = EntryDecoder()
        let keeper = try decoder.decode(Keeper.self, from: Array("[1]".utf8))
        #expect(throws: DecodingError.self) { try keeper.decoder.singleValueContainer() }
        var container = keeper.container
        #expect(throws: DecodingError.self) { try container.decode(Int.self) }
        #expect(keeper.decoder.codingPath.isEmpty)
    }

    @Test func `values nested deeper than 512 are refused`() throws {
        struct Deep: Encodable {
            let depth: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                if depth > 0 {
                    try container.encode(Deep(depth: depth - 1))
                }
            }
        }
        #expect(try EntryEncoder().encode(Deep(depth: 500)).count == 1002)
        #expect(throws: EncodingError.self) { try EntryEncoder().encode(Deep(depth: 100_000)) }
    }
}

private struct Box<V: Codable>: Codable { var list: [V] }

/// The coding path of the fault that a number of a list gives; nil if it is read.
private func path<V: Codable>(_ type: V.Type, _ number: String) -> String? {
    let text = Array("{\"list\":[0,\(number)]}".utf8)
    do {
        let read: Box<V> = try EntryDecoder().decode(Box<V>.self, from: text)
        return read.list.isEmpty ? "no number" : nil
    } catch DecodingError.dataCorrupted(let context) {
        let offset = (context.underlyingError as? Fault)?.offset
        return offset == 11 ? context.codingPath.map(\.stringValue).joined(separator: ".") : "offset \(offset ?? -1)"
    } catch {
        return "\(error)"
    }
}
