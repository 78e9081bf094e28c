import Foundation
import JSONText
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import FaultChild

/// Makes a fault happen at each change of a file in turn, and judges the result each time.
struct Sweep {
    let backEnd: BackEnd
    let operation: StoreTask
    let folder: TemporaryFolder
    /// The content of the store before and after the operation.
    let before: [String]
    let after: [String]
    /// The number of changes of files in the whole operation.
    let count: Int

    /// Which changes are tried: `all` of them, or a part such as `3/10`, every tenth from the third on; nil for a few.
    /// All parts together are all changes.
    private static let part: (first: Int, step: Int)? = {
        guard let text = ProcessInfo.processInfo.environment["SOUP_SWEEP"] else { return nil }
        if text == "all" {
            return (1, 1)
        }
        let numbers = text.split(separator: "/").compactMap { Int($0) }
        guard numbers.count == 2, numbers[0] >= 1, numbers[0] <= numbers[1] else { return nil }
        return (numbers[0], numbers[1])
    }()

    static var isWhole: Bool { part != nil }
    static var isInParts: Bool { part.map { $0.step > 1 } ?? false }

    /// Whether an operation is tried on a back end: unless another one is named. Skips the test without the back end.
    static func isWanted(_ operation: String, on backEnd: BackEnd) throws -> Bool {
        try backEnd.skipIfMissing()
        return ProcessInfo.processInfo.environment["SOUP_SWEEP_OPERATION"].map { $0 == operation } ?? true
    }

    private var template: String { folder.file("template") }

    init(_ backEnd: BackEnd, _ operation: StoreTask) throws {
        self.backEnd = backEnd
        self.operation = operation
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("template"), withIntermediateDirectories: true)
        let store = try Self.open(backEnd, folder.file("template"), key: operation.keySeed(backEnd))
        try operation.prepare(store)
        before = try Self.state(of: store)
        try store.close()
        // Once without a fault, to find the number of changes and the final state.
        let copy = folder.file("whole")
        try FileManager.default.copyItem(atPath: folder.file("template"), toPath: copy)
        let child = try Child(backEnd, copy + "/store.db", operation.rawValue, .none, at: 0)
        try #require(child.ending == "done", "the operation itself fails: \(child.ending)")
        count = child.count
        let done = try Self.open(backEnd, copy, key: operation.keySeed(backEnd, after: true))
        after = try Self.state(of: done)
        try done.close()
    }

    /// The numbers of the changes to try: all of them, or a few spread evenly, including the first and the last.
    func points(_ few: Int = 4) -> [Int] { Self.points(few, of: count) }

    static func points(_ few: Int, of count: Int) -> [Int] {
        if let part {
            return Array(stride(from: part.first, through: max(count, 1), by: part.step))
        }
        if count <= few {
            return Array(1...max(count, 1))
        }
        return Array(Set((0..<few).map { 1 + $0 * (count - 1) / (few - 1) })).sorted()
    }

    /// A new copy of the store in the state before the operation.
    func copy(_ name: String) throws -> String {
        let path = folder.file(name)
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: template, toPath: path)
        return path
    }

    static func open(_ backEnd: BackEnd, _ folder: String, key seed: UInt8?) throws -> SmartStore {
        var options = StoreOptions(library: try backEnd.library(), key: try seed.map { try BackEnds.key($0) })
        options.access = .create
        return try SmartStore(path: folder + "/store.db", options: options)
    }

    /// Everything that a caller can read from a store, without dates.
    static func state(of store: SmartStore) throws -> [String] {
        var state: [String] = []
        for name in try store.allSoupNames() {
            let soup = try store.soup(name)
            state.append("\(name) \(soup.spec.features) \(soup.indexSpecs.map { "\($0.path) \($0.type)" })")
            let entries = try store.query(.all(pageSize: 1000), soup: name).currentPage.entries
            state += entries.map { text in
                String(decoding: text, as: UTF8.self).replacing(#/"_soupLastModifiedDate":[0-9]+/#, with: "")
            }
            for spec in soup.indexSpecs {
                let values = try store.query(
                    .all(orderPath: spec.path, pageSize: 1000, selectPaths: [spec.path, "_soupEntryId"]), soup: name)
                state.append(spec.path + ": " + String(decoding: values.currentPage.json, as: UTF8.self))
            }
            if !soup.fullTextSpecs.isEmpty {
                for word in ["old", "new", "key"] {
                    state.append("\(word): \(try store.count(.match(matchKey: word), soup: name))")
                }
            }
        }
        return state
    }
}
