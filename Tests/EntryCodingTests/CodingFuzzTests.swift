import EntryCoding
import Foundation
import JSONText
import TestSupport
import Testing

/// Random documents, read by a random tree of requests through both decoders, and written by both encoders: APP-44.
@Suite struct CodingFuzzTests {
    @Test func `both decoders agree about random documents and requests`() throws {
        let seed = UInt64(ProcessInfo.processInfo.environment["SOUP_RANDOM_SEED"] ?? "") ?? .random(in: 0 ... .max)
        let rounds = Int(ProcessInfo.processInfo.environment["SOUP_RANDOM_DOCUMENTS"] ?? "") ?? 3000
        print("coding: seed \(seed), \(rounds) documents")
        var random = SeededRandom(seed: seed)
        let (own, theirs) = (EntryDecoder(), JSONDecoder())
        for round in 0..<rounds {
            let document = RandomDocument.make(&random, depth: 4)
            let text = Array(document.utf8)
            let request = Request.make(&random, depth: 4)
            let one = Result { try Request.$current.withValue(request) { try own.decode(Answer.self, from: text) } }
            let two = Result {
                try Request.$current.withValue(request) { try theirs.decode(Answer.self, from: Data(text)) }
            }
            switch (one, two) {
            case (.success(let one), .success(let two)):
                #expect(one.text == two.text, "round \(round): \(document) by \(request)")
            case (.failure, .failure): break
            // A number that is too small for a Float is 0, to Double in both decoders and to Float in ours.
            case (.success, .failure) where document.contains("1e-320"): break
            default: Issue.record("round \(round): \(document) by \(request): \(one) and \(two)")
            }
        }
    }

    @Test func `both encoders write the same values`() throws {
        let seed = UInt64(ProcessInfo.processInfo.environment["SOUP_RANDOM_SEED"] ?? "") ?? .random(in: 0 ... .max)
        print("coding, encoders: seed \(seed)")
        var random = SeededRandom(seed: seed)
        let (own, theirs) = (EntryEncoder(), JSONEncoder())
        for _ in 0..<1500 {
            let value = RandomValue.make(&random, depth: 4)
            let text = try own.encode([value])
            let other = Array(try theirs.encode([value]))
            #expect(try JSONValue(parsing: text) == JSONValue(parsing: other))
            #expect(try EntryDecoder().decode([RandomValue].self, from: text) == [value])
        }
    }
}

/// What a type asks a decoder for.
indirect enum Request: Sendable {
    case bool, int, int8, uint64, float, double, string, null
    case list(Request)
    case dictionary(Request)
    case optional(Request)
    case members([(String, Request)])

    /// Types cannot be made at run time: `Answer` asks for what is set here.
    @TaskLocal static var current = Request.null

    static func make(_ random: inout SeededRandom, depth: Int) -> Request {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 8), using: &random) {
        case 0: .bool
        case 1: .int
        case 2: .int8
        case 3: .uint64
        case 4: .float
        case 5: .double
        case 6: .string
        case 7: .null
        case 8: .list(make(&random, depth: depth - 1))
        case 9: .dictionary(make(&random, depth: depth - 1))
        case 10: .optional(make(&random, depth: depth - 1))
        default:
            .members(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    (["a", "b", "c", "\u{e9}"].randomElement(using: &random) ?? "a", make(&random, depth: depth - 1))
                })
        }
    }
}

/// The answer to the current request, as a text that can be compared.
struct Answer: Decodable {
    let text: String

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws { text = try Self.text(Request.current, decoder) }

    private static func text(_ request: Request, _ decoder: any Decoder) throws -> String {
        switch request {
        case .bool: return "\(try decoder.singleValueContainer().decode(Bool.self))"
        case .int: return "\(try decoder.singleValueContainer().decode(Int.self))"
        case .int8: return "\(try decoder.singleValueContainer().decode(Int8.self))"
        case .uint64: return "\(try decoder.singleValueContainer().decode(UInt64.self))"
        case .float: return "\(try decoder.singleValueContainer().decode(Float.self))"
        case .double: return "\(try decoder.singleValueContainer().decode(Double.self))"
        case .string: return "\(Array(try decoder.singleValueContainer().decode(String.self).utf8))"
        case .null: return "\(try decoder.singleValueContainer().decodeNil())"
        case .optional(let inner):
            let container = try decoder.singleValueContainer()
            return container.decodeNil() ? "nil" : "some(\(try text(inner, decoder)))"
        case .list(let inner):
            var list = try decoder.unkeyedContainer()
            var parts: [String] = []
            while !list.isAtEnd {
                parts.append(try Request.$current.withValue(inner) { try list.decode(Answer.self).text })
            }
            return "[\(parts.joined(separator: ","))]\(list.currentIndex)"
        case .dictionary(let inner):
            let container = try decoder.container(keyedBy: Name.self)
            let parts = try container.allKeys.map { key in
                let value = try Request.$current.withValue(inner) {
                    try container.decode(Answer.self, forKey: key).text
                }
                return "\(Array(key.stringValue.utf8)):\(value)"
            }
            return "{\(parts.sorted().joined(separator: ","))}"
        case .members(let members):
            let container = try decoder.container(keyedBy: Name.self)
            return try members.map { name, inner in
                let key = Name(stringValue: name)
                let value = try Request.$current.withValue(inner) {
                    try container.decodeIfPresent(Answer.self, forKey: key)?.text ?? "absent"
                }
                return "\(name)=\(value),\(container.contains(key))"
            }.joined(separator: ";")
        }
    }
}

/// JSON texts with the edges of the grammar.
enum RandomDocument {
    private static let numbers = [
        "0", "-0", "-0.0", "1", "127", "128", "-129", "1.0", "1.5", "1e2", "12e-1", "9007199254740993",
        "9223372036854775807",
        "9223372036854775808", "18446744073709551615", "18446744073709551616", "1e39", "1e308", "1e-320", "0.1",
        "3.4028235e38",
        "16777217", "100000000000000000000",
    ]
    private static let strings = [
        #""""#, #""a""#, #""\u00e9""#, #""é""#, #""\ud83d\ude00""#, #""\"\\\/\b\f\n\r\t""#, #""\u0000""#,
    ]
    private static let names = [#""a""#, #""b""#, #""c""#, #""\u00e9""#, #""\u0061b""#, #""""#]

    static func make(_ random: inout SeededRandom, depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: "null"
        case 1: Bool.random(using: &random) ? "true" : "false"
        case 2, 3: numbers.randomElement(using: &random) ?? "0"
        case 4: strings.randomElement(using: &random) ?? "0"
        case 5, 6:
            "["
                + (0..<Int.random(in: 0...4, using: &random)).map { _ in make(&random, depth: depth - 1) }
                .joined(separator: Bool.random(using: &random) ? "," : " ,\n") + "]"
        default:
            // Without duplicates, of which each decoder takes another one.
            "{"
                + names.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)).map {
                    "\($0):\(make(&random, depth: depth - 1))"
                }.joined(separator: ",") + "}"
        }
    }
}

/// A value of a random shape that both encoders can write.
indirect enum RandomValue: Codable, Equatable {
    case int(Int64)
    case unsigned(UInt64)
    case double(Double)
    case float(Float)
    case text(String)
    case flag(Bool)
    case date(Date)
    case data(Data)
    case list([RandomValue])
    case members([String: RandomValue])
    case some(RandomValue?)

    static func make(_ random: inout SeededRandom, depth: Int) -> RandomValue {
        switch Int.random(in: 0..<(depth > 0 ? 11 : 8), using: &random) {
        case 0: .int(Int64(bitPattern: random.next()))
        case 1: .unsigned(random.next())
        case 2: .double(finite(Double(bitPattern: random.next())))
        case 3: .float(Float(bitPattern: UInt32(truncatingIfNeeded: random.next())).isFinite ? 0.3 : 1.5)
        case 4:
            .text(
                String(
                    String.UnicodeScalarView(
                        (0..<4).compactMap { _ in
                            Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random))
                        })))
        case 5: .flag(Bool.random(using: &random))
        case 6: .date(Date(timeIntervalSinceReferenceDate: Double(Int32(truncatingIfNeeded: random.next())) / 8))
        case 7: .data(Data((0..<5).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
        case 8: .list((0..<3).map { _ in make(&random, depth: depth - 1) })
        case 9:
            .members(
                Dictionary(uniqueKeysWithValues: ["a", "", "\u{e9}"].map { ($0, make(&random, depth: depth - 1)) }))
        default: .some(Bool.random(using: &random) ? nil : make(&random, depth: depth - 1))
        }
    }

    private static func finite(_ value: Double) -> Double { value.isFinite ? value : 0.1 }
}
