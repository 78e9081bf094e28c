import OData
import TestSupport
import Testing

/// Names that are alike, in another order and another number in each entry: the caches of names must not confuse them.
struct PropertyNameTests {
    /// Names of 1 to 40 bytes. Those of one length differ in one byte.
    private static let names: [String] = (1...40).flatMap { length in
        Set([0, length / 2, length - 1]).sorted().map { position in
            var bytes = [UInt8](repeating: UInt8(ascii: "n"), count: length)
            bytes[position] = UInt8(ascii: "x")
            return String(decoding: bytes, as: UTF8.self)
        } + [String(repeating: "n", count: length)]
    }

    /// The properties of each entry: names and values.
    private static func entries(_ random: inout SeededRandom) -> [[(name: String, value: Int)]] {
        (0..<200).map { _ in
            names.shuffled(using: &random).prefix(Int.random(in: 1...40, using: &random)).map {
                ($0, Int.random(in: 0..<1_000, using: &random))
            }
        }
    }

    private static func read(_ body: String, _ version: ODataVersion) throws -> [[String]] {
        var reader = ODataPayloadReader(options: PayloadOptions(version: version))
        try reader.append(Array(body.utf8))
        try reader.finish()
        var found: [[String]] = []
        while case .entry(let entry) = try reader.next() {
            found.append(entry.properties.map { "\($0.name)=\(PayloadPairs.text(of: $0.value))" })
        }
        return found
    }

    @Test func `alike names of JSON keep their values`() throws {
        var random = SeededRandom(seed: 411)
        let entries = Self.entries(&random)
        let objects = entries.map { entry in
            "{" + entry.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
        }
        let found = try Self.read("{\"value\":[" + objects.joined(separator: ",") + "]}", .v4)
        let expected = entries.map { entry in
            entry.map { "\($0.name)=\(PayloadPairs.text(of: .int32(Int32($0.value))))" }
        }
        #expect(found == expected, "seed \(random.seed)")
    }

    @Test func `alike names of Atom keep their values`() throws {
        var random = SeededRandom(seed: 412)
        let entries = Self.entries(&random)
        let elements = entries.map { entry in
            let properties = entry.map { "<d:\($0.name) m:type=\"Edm.Int32\">\($0.value)</d:\($0.name)>" }
            return
                "<entry><content type=\"application/xml\"><m:properties>\(properties.joined())</m:properties></content></entry>"
        }
        let found = try Self.read("<feed \(PayloadRobustnessTests.namespaces)>\(elements.joined())</feed>", .v2)
        let expected = entries.map { entry in
            entry.map { "\($0.name)=\(PayloadPairs.text(of: .int32(Int32($0.value))))" }
        }
        #expect(found == expected, "seed \(random.seed)")
    }
}
