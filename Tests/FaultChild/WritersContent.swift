import JSONText
import OfflineStore
import Soups

/// What the writers of a trial have left in one state of a store.
struct WritersContent: Sendable, Equatable {
    /// The number of the last commit, and who made it.
    private(set) var number = -1
    private(set) var writer = -1
    /// The number of the commit that wrote each entry, by its key: of the soup, and of the one with external storage.
    private(set) var entries: [String: Int] = [:]
    private(set) var files: [String: Int] = [:]
    /// Who made the commits that wrote them.
    private(set) var authors: [Int: Int] = [:]
    /// Keys that are there twice, texts that no commit has written, commits of two writers.
    private(set) var faults: [String] = []

    init(_ store: SmartStore) throws { self = try store.read { try WritersContent($0) } }

    init(_ reader: borrowing StoreReader) throws {
        try read("last", reader) { content, _, number, writer in (content.number, content.writer) = (number, writer) }
        try read("s", reader) { content, key, number, _ in
            content.note(content.entries.updateValue(number, forKey: key), key)
        }
        try read("x", reader) { content, key, number, _ in
            content.note(content.files.updateValue(number, forKey: key), key)
        }
    }

    private mutating func note(_ former: Int?, _ key: String) {
        if former != nil {
            faults.append("\(key) is there twice")
        }
    }

    private mutating func read(
        _ soup: String, _ reader: borrowing StoreReader, _ take: (inout Self, String, Int, Int) -> Void
    ) throws {
        try reader.forEach(.all(), in: soup) { entry in
            let text = entry.withBytes { String(decoding: $0, as: UTF8.self) }
            let value = try JSONValue(parsing: text)
            let key = value["k"]?.string ?? ""
            let (number, writer) = (Int(value["n"]?.int64 ?? -1), Int(value["w"]?.int64 ?? -1))
            let written = WritersModel.entry(key, number, writer).dropFirst().dropLast()
            if !text.contains(String(decoding: written, as: UTF8.self)) {
                faults.append("\(key) has another text")
            }
            if authors.updateValue(writer, forKey: number).map({ $0 != writer }) == true {
                faults.append("commit \(number) is of two writers")
            }
            take(&self, key, number, writer)
            return .next
        }
    }
}
