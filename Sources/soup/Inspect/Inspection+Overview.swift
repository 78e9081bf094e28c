import JSONText
import OfflineStore
import Platform
import SQLiteAccess
import Soups

/// The facts about a store that reveal no value of an entry.
extension Inspection {
    /// A line of the overview.
    private struct Line {
        let name: String
        let value: JSONValue
    }

    /// Names, counts and sizes: safe to be pasted anywhere.
    func overview() throws {
        var lines: [Line] = []
        func add(_ name: String, _ value: JSONValue) { lines.append(Line(name: name, value: value)) }
        add("file", .string(opened.path))
        add("bytes", Self.number(File.size(opened.path)))
        add("walBytes", Self.number(File.size(opened.path + "-wal")))
        add("encrypted", .bool(store.isEncrypted))
        if let preset = opened.preset {
            add("cipherSettings", .string(preset))
        }
        add("library", .string("SQLite \(store.library.version)"))
        var soups: [JSONValue] = []
        try store.read { reader in
            add("schemaVersion", Self.number(try reader.schemaVersion()))
            if try reader.isKeyValueStore() {
                var keys: Int64 = 0
                _ = try part("the keys") { () throws(Fault) in try reader.forEachKey { _, _, _ in keys += 1 } }
                add("keyValueStore", .bool(true))
                add("keys", Self.number(keys))
                return
            }
            var lastChange: Int64?
            let names = try part("the list of soups") { () throws(Fault) in try reader.soupNames() } ?? []
            let pages = reader.pageBytes()
            for name in names {
                let (soup, changed) = try self.soup(name, pages, reader)
                lastChange = [lastChange, changed].compactMap(\.self).max()
                soups.append(.object(soup))
            }
            let pending = try part("what is pending") { () throws(Fault) in try reader.pendingOperations() }
            add("pendingOperations", pending.map { Self.number(Int64($0.count)) } ?? .null)
            add("lastChange", lastChange.map { .string(InspectText.date($0)) } ?? .null)
        }
        try write(lines, soups)
    }

    /// What the overview says of a soup, and when an entry was changed last. What cannot be read is null.
    private func soup(
        _ name: String, _ pages: [String: Int64]?, _ reader: borrowing StoreReader
    ) throws(Fault) -> (JSONObject, lastChange: Int64?) {
        var object: JSONObject = ["name": .string(name), "indexes": .null, "entries": .null, "bytes": .null]
        let title = "the soup \(InspectText.visible(name))"
        guard let soup = try part(title, { () throws(Fault) in try reader.soup(name) }) else { return (object, nil) }
        object["indexes"] = Self.number(Int64(soup.indexSpecs.count))
        guard let entries = try part(title, { () throws(Fault) in try reader.entries(of: soup) }) else {
            return (object, nil)
        }
        object["entries"] = Self.number(Int64(entries.count))
        let bytes = try part("the size of \(title)") { () throws(Fault) in try reader.bytes(of: soup, pages) }
        object["bytes"] = bytes.map(Self.number) ?? .null
        return (object, entries.lastChange)
    }

    private func write(_ lines: [Line], _ soups: [JSONValue]) throws {
        switch command.output.chosen {
        case .json, .jsonl:
            var object = JSONObject()
            for line in lines {
                object[line.name] = line.value
            }
            object["soups"] = .array(soups)
            let text = JSONValue.object(object).text(command.output.chosen == .json ? .pretty : .compact)
            try sink.write(InspectText.escapingControls(text) + "\n")
        case .table, .csv:
            try rows(["what", "value"]) { output in
                for line in lines {
                    try output.add([.value(.text(line.name)), Self.cell(line.value)])
                }
                for soup in soups {
                    let name = soup["name"]?.string ?? ""
                    try output.add([.value(.text("soup " + name)), Self.cell(soup["entries"] ?? .null)])
                    try output.add([.value(.text("bytes of " + name)), Self.cell(soup["bytes"] ?? .null)])
                }
            }
            if command.output.chosen == .table, let first = soups.first?["name"]?.string {
                let (file, name) = (ShellWord.quoted(command.store), ShellWord.quoted(InspectText.visible(first)))
                StandardError.say(
                    "next: soup inspect \(file) soups \(name); soup inspect \(file) show \(name); soup inspect \(file) check"
                )
            }
        }
    }

    private static func number(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }

    private static func cell(_ value: JSONValue) -> StoreCell {
        switch value {
        case .null: .value(.text("cannot be read"))
        case .string(let text): .value(.text(text))
        default: .value(.text(value.text()))
        }
    }

    // MARK: - Soups

    func soups() throws {
        guard let name = command.object else {
            return try allSoups()
        }
        try rows(["path", "type", "column", "module", "different", "missing"]) { output in
            try store.read { reader in
                let soup = try reader.soup(name)
                for spec in soup.indexSpecs {
                    let values = try part("the index \(InspectText.visible(spec.path))") { () throws(Fault) in
                        try reader.values(of: spec, in: soup)
                    }
                    let module = spec.type == .fullText ? soup.fullTextVersion?.rawValue : nil
                    try output.add([
                        .value(.text(spec.path)), .value(.text(spec.type.rawValue)),
                        .value(spec.columnName.map { .text($0) } ?? .null), .value(module.map { .text($0) } ?? .null),
                        .value(values.map { .integer(Int64($0.different)) } ?? .null),
                        .value(values.map { .integer(Int64($0.missing)) } ?? .null),
                    ])
                }
            }
        }
    }

    private func allSoups() throws {
        try rows(["soup", "entries", "indexes", "features"]) { output in
            try store.read { reader in
                for name in try reader.soupNames() {
                    try part("the soup \(InspectText.visible(name))") { () throws(Fault) in
                        try output.add(try row(of: name, reader))
                    }
                }
            }
        }
    }

    private func row(of name: String, _ reader: borrowing StoreReader) throws(Fault) -> [StoreCell] {
        let soup = try reader.soup(name)
        let count = try part("the entries of \(InspectText.visible(name))") { () throws(Fault) in
            try reader.entries(of: soup).count
        }
        return [
            .value(.text(name)), .value(count.map { .integer(Int64($0)) } ?? .null),
            .value(.integer(Int64(soup.indexSpecs.count))), .value(.text(Self.features(soup))),
        ]
    }

    private static func features(_ soup: RegisteredSoup) -> String {
        soup.spec.features.map(\.rawValue).joined(separator: " ")
    }

    // MARK: - State

    func check() throws {
        let report = try store.integrityCheckNow(command.quick ? .quick : .full)
        hasFindings = !report.isSound
        try rows(["code", "soup", "count", "ids", "details"]) { output in
            for finding in report.findings {
                try output.add([
                    .value(.text(finding.code.rawValue)), .value(finding.soup.map { .text($0) } ?? .null),
                    .value(.integer(Int64(finding.count))),
                    .value(.text(finding.ids.map(String.init).joined(separator: " "))),
                    .value(.text(finding.details.joined(separator: "; "))),
                ])
            }
        }
        if report.isSound {
            StandardError.say("soup inspect: nothing is damaged")
        }
    }

    func sizes() throws {
        let sizes = try store.sizesNow()
        try rows(["kind", "name", "entries", "table", "indexes", "fullText", "files", "bytes"]) { output in
            for soup in sizes.soups {
                let parts = [soup.table, soup.indexes, soup.fullText, soup.files]
                try output.add(
                    [.value(.text("soup")), .value(.text(soup.name)), .value(.integer(Int64(soup.entries)))]
                        + parts.map { .value(.integer($0)) } + [.value(.integer(parts.reduce(0, +)))])
            }
            for (kind, bytes) in [("freePages", sizes.free), ("file", sizes.file), ("wal", sizes.log)] {
                try output.add(
                    [.value(.text(kind))] + Array(repeating: .value(.null), count: 6) + [.value(.integer(bytes))])
            }
        }
        if sizes.isEstimated {
            StandardError.say("soup inspect: sizes of tables are estimated: this library cannot count pages")
        }
    }

    func pending() throws {
        try rows(["kind", "soup", "id", "step", "position"]) { output in
            try store.read { reader in
                for operation in try reader.pendingOperations() {
                    try output.add([
                        .value(.text(operation.kind)), .value(operation.soup.map { .text($0) } ?? .null),
                        .value(operation.id.map { .text($0) } ?? .null), .value(.text(operation.step)),
                        .value(operation.position.map { .integer($0) } ?? .null),
                    ])
                }
            }
        }
    }

    func settings() throws {
        try rows(["setting", "value"]) { output in
            try store.read { reader in
                for (name, value) in try reader.settings() {
                    try output.add([.value(.text(name)), .value(.text(value))])
                }
            }
        }
    }

    func keys() throws {
        try rows(["key", "bytes", "modified"]) { output in
            try store.read { reader in
                guard try reader.isKeyValueStore() else {
                    throw Fault(.invalidArguments, "\(opened.path) is not a key-value store")
                }
                var thrown: Fault?
                try reader.forEachKey { key, bytes, modified in
                    guard thrown == nil, command.object.map({ ByteKey($0) == ByteKey(key) }) ?? true else { return }
                    do throws(Fault) {
                        try output.add([
                            .value(.text(key)), .value(.integer(bytes)),
                            .value(.text(InspectText.date(modified))),
                        ])
                    } catch { thrown = error }
                }
                if let thrown {
                    throw thrown
                }
            }
        }
    }

    /// The rows of the soup in which syncs are kept.
    func syncs() throws {
        let names = ["name", "type", "soupName", "status", "progress", "totalSize", "error"]
        try rows(["id"] + names) { output in
            try store.read { reader in
                guard try reader.soupNames().contains("syncs_soup") else { return }
                try reader.forEach(.all(), in: "syncs_soup") { entry in
                    let value = try? JSONValue(parsing: entry.withBytes { Array($0) })
                    let cells = names.map { name -> StoreCell in
                        switch value?[name] {
                        case nil, .null: .value(.null)
                        case .string(let text): .value(.text(text))
                        case let other?: .value(.text(other.text()))
                        }
                    }
                    try output.add([.value(.integer(entry.id))] + cells)
                    return .next
                }
            }
        }
    }
}
