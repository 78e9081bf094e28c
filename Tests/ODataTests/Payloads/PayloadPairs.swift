import OData
import Soups

/// Lists the content of a payload as lines of a path and a value, in the form of `ci/peers/odata_pairs.py`.
enum PayloadPairs {
    static func lines(of payload: ODataPayload) -> [[UInt8]] {
        var lines: [String] = []
        switch payload {
        case .feed(let feed): add(feed, "", to: &lines)
        case .entry(let entry): add(entry, "0", to: &lines)
        case .error(let body):
            lines.append(line("code", body.code))
            lines.append(line("message", body.message))
        case .service(let document): lines += document.sets.map { line("set", $0.name) }
        case .property(let property, _): add(property.value, "value", to: &lines)
        case .links(let links, _, _): lines += links.map { line("uri", $0.text) }
        case .count(_, let text), .value(.text(let text)): lines.append(line("value", text))
        case .value(.bytes(let bytes)): lines.append(line("value", Base64.encode(bytes)))
        case .batch(let batch):
            lines += batch.messages.map { line("message", String(decoding: $0.body ?? [], as: UTF8.self)) }
        }
        return lines.map { Array($0.utf8) }
    }

    private static func line(_ path: String, _ value: String) -> String {
        path + "\t" + value.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n")
    }

    /// All of a value as lines.
    static func text(of value: ODataValue) -> [String] {
        var lines: [String] = []
        add(value, "", to: &lines)
        return lines
    }

    private static func add(_ feed: ODataFeed, _ prefix: String, to lines: inout [String]) {
        for (index, entry) in feed.entries.enumerated() {
            add(entry, prefix + "\(index)", to: &lines)
        }
    }

    private static func add(_ entry: ODataEntry, _ path: String, to lines: inout [String]) {
        if entry.deletion != nil {
            return lines.append(line(path, "deleted"))
        }
        for property in entry.properties {
            add(property.value, path + "/" + property.name, to: &lines)
        }
        for navigation in entry.navigation {
            let path = path + "/" + navigation.name
            switch navigation.content {
            case .null: lines.append(line(path, "null"))
            case .entry(let inner): add(inner, path, to: &lines)
            case .feed(let feed): add(feed, path + "/", to: &lines)
            }
        }
    }

    private static func add(_ value: ODataValue, _ path: String, to lines: inout [String]) {
        switch value {
        case .complex(let members):
            for member in members {
                add(member.value, path + "/" + member.name, to: &lines)
            }
        case .collection(let items):
            for (index, item) in items.enumerated() {
                add(item, path + "/\(index)", to: &lines)
            }
        case .null: lines.append(line(path, "null"))
        case .single(let number): lines.append(line(path, Double(number.description).map { "\($0)" } ?? ""))
        case .spatial: lines.append(line(path, "spatial"))
        default: lines.append(line(path, value.canonicalText ?? ""))
        }
    }

    static func lines(of model: EdmModel) -> [[UInt8]] {
        var lines: [String] = []
        for schema in model.schemas {
            func add(_ type: EdmStructuredType, _ kind: String) {
                let name = schema.namespace + "." + type.name
                lines.append(line(name, kind))
                for property in type.properties {
                    lines.append(line(name + "/" + property.name, property.type.text + " \(property.type.isNullable)"))
                }
                for navigation in type.navigation {
                    lines.append(line(name + "/" + navigation.name, "navigation"))
                }
                for part in type.key {
                    lines.append(line(name + "/key", part.path))
                }
            }
            for type in schema.entityTypes {
                add(type, "EntityType")
            }
            for type in schema.complexTypes {
                add(type, "ComplexType")
            }
            for type in schema.enumTypes {
                lines += type.members.map { line(schema.namespace + "." + type.name + "/" + $0.name, "member") }
            }
            lines += schema.functions.map { line(schema.namespace + "." + $0.name, "Function") }
            lines += schema.actions.map { line(schema.namespace + "." + $0.name, "Action") }
            for container in schema.containers {
                lines += container.entitySets.map { line(container.name + "/" + $0.name, $0.entityType) }
            }
        }
        return lines.map { Array($0.utf8) }
    }

    /// The line that the peer prints: the count and the checksum of the sorted lines.
    static func digest(_ lines: [[UInt8]]) -> String {
        let sorted = lines.sorted { $0.lexicographicallyPrecedes($1) }
        return "\(lines.count) \(crc32(Array(sorted.joined(separator: [0x0A]))))"
    }

    /// The checksum of zlib (ISO 3309).
    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 {
                crc = crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1
            }
        }
        return ~crc
    }
}
