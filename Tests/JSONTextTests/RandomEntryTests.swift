import JSONText
import TestSupport
import Testing

/// Compares the scanner with a simple implementation of paths over trees (SmartStore, index paths), on random entries
/// with few different names, written with and without escapes.
@Suite struct RandomEntryTests {
    private static let names = [
        "a", "b", "c", "_soupEntryId", "_soupLastModifiedDate", "abcdefghi", "abcdefghj", "", "\"", "é", "\n",
    ]
    private static let seed = UInt64.random(in: 0...UInt64(UInt32.max))

    @Test func `scanner and definition agree`() throws {
        var random = SeededRandom(seed: Self.seed)
        print("random entries: seed \(Self.seed)")
        for index in 0..<1_500 {
            let text = Self.object(depth: 0, &random)
            let paths = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.names.randomElement(using: &random) ?? "a" }
                    .joined(separator: ".")
            }
            let scanner = EntryScanner(paths: paths)
            let bytes = Array(text.utf8)
            let entry = try JSONValue(parsing: bytes)
            var stored: [UInt8] = []
            try bytes.withUnsafeBytes { bytes in
                try scanner.scan(bytes)
                for (field, path) in paths.enumerated() {
                    let keys =
                        path.isEmpty
                        ? [] : path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
                    let expected = Self.project(entry, keys[...])
                    let found = scanner.values.text(of: field).map { Array($0) }
                    #expect(
                        found == expected.map(Self.text), "seed \(Self.seed), entry \(index), path \(path): \(text)")
                }
                scanner.appendStored(id: 1, lastModified: 2, to: &stored)
            }
            var expected = try #require(entry.object)
            for name in ["_soupEntryId", "_soupLastModifiedDate"] {
                expected[name] = nil
            }
            expected["_soupEntryId"] = 1
            expected["_soupLastModifiedDate"] = 2
            #expect(try JSONValue(parsing: stored) == .object(expected), "seed \(Self.seed), entry \(index): \(text)")
            try Self.expectPlainNames(stored)
        }
    }

    /// The value at a path, nil for missing and null.
    private static func project(_ value: JSONValue, _ keys: ArraySlice<String>) -> JSONValue? {
        if value.isNull {
            return nil
        }
        guard let key = keys.first else {
            return value
        }
        switch value {
        case .object(let object):
            return object[key].flatMap { project($0, keys.dropFirst()) }
        case .array(let elements):
            let found = elements.compactMap { project($0, keys) }
            return found.isEmpty ? nil : .array(found)
        default:
            return nil
        }
    }

    private static func text(_ value: JSONValue) -> [UInt8] { value.string.map { Array($0.utf8) } ?? value.bytes() }

    private static func expectPlainNames(_ stored: [UInt8]) throws {
        let tape = JSONTape(options: JSONOptions(refusesDuplicateNames: true))
        try stored.withUnsafeBytes { bytes in
            try tape.read(bytes)
            tape.withRoot { root in
                var pending = [root]
                while let value = pending.popLast() {
                    pending += Array(value.elements)
                    for member in value.members {
                        #expect(!member.name.isEscaped || member.name == "\"" || member.name == "\n")
                        pending.append(member.value)
                    }
                }
            }
        }
    }

    // MARK: - Random entries

    private static func object(depth: Int, _ random: inout SeededRandom) -> String {
        let chosen = names.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }.shuffled(using: &random)
        return "{" + blank(&random)
            + chosen.map { name(of: $0, &random) + blank(&random) + ":" + value(depth: depth + 1, &random) }.joined(
                separator: ",") + "}"
    }

    private static func name(of name: String, _ random: inout SeededRandom) -> String {
        let characters = name.unicodeScalars.map { scalar -> String in
            let mustEscape = scalar == "\"" || scalar.value < 0x20
            guard mustEscape || Int.random(in: 0..<12, using: &random) == 0 else {
                return String(Character(scalar))
            }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"" + characters.joined() + "\""
    }

    private static func value(depth: Int, _ random: inout SeededRandom) -> String {
        let text: String
        switch Int.random(in: 0..<(depth < 5 ? 12 : 7), using: &random) {
        case 0: text = "null"
        case 1: text = ["true", "false"].randomElement(using: &random) ?? "true"
        case 2: text = ["1", "-2.50", "1e3", "12345678901234567890"].randomElement(using: &random) ?? "1"
        case 3: text = #""plain text""#
        case 4: text = #""esc\u0041p\ned \"x\" \/""#
        case 5: text = "[]"
        case 6: text = "{}"
        case 7, 8, 9: text = object(depth: depth, &random)
        default:
            text =
                "["
                + (0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth + 1, &random) }.joined(
                    separator: ",") + "]"
        }
        return blank(&random) + text + blank(&random)
    }

    private static func blank(_ random: inout SeededRandom) -> String {
        Int.random(in: 0..<8, using: &random) == 0 ? " \n" : ""
    }
}
