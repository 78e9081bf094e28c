import Foundation
import OfflineStore
import Platform
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// Copies of one store, each damaged in another way. The store was left by a crash: it has a -wal, and files of
/// entries.
struct DamagedStore {
    /// What is damaged, and how.
    enum Kind: CaseIterable {
        case cut, cutShort, flipped, zeroed, overwritten, pagesSwapped, header
        case logCut, logFlipped, logOverwritten
        case entryFile, entryFileMissing
    }

    let backEnd: BackEnd
    private let crashed: InspectedFolder

    init(_ backEnd: BackEnd) throws {
        self.backEnd = backEnd
        let live = try InspectedFolder()
        let store = try live.make(backEnd, key: backEnd.isKeyed ? try BackEnds.key() : nil)
        try store.upsert((31...150).map(InspectedFolder.entry), into: "people")
        // Reopened, so that a part is in the file and the rest in the -wal.
        try store.reopen()
        try store.upsert((151...250).map(InspectedFolder.entry), into: "people")
        crashed = try InspectedFolder()
        for suffix in ["", "-wal", "_external_soup_blobs"] {
            try FileManager.default.copyItem(atPath: live.path + suffix, toPath: crashed.path + suffix)
        }
        try store.close()
    }

    /// A damaged copy, and what was done to it.
    func damaged(_ kind: Kind, _ random: inout SeededRandom) throws -> (copy: InspectedFolder, what: String) {
        let copy = try InspectedFolder()
        let isLogKept = "\(kind)".hasPrefix("log") || Bool.random(using: &random)
        for suffix in ["", "_external_soup_blobs"] + (isLogKept ? ["-wal"] : []) {
            try FileManager.default.copyItem(atPath: crashed.path + suffix, toPath: copy.path + suffix)
        }
        let path = try path(of: kind, in: copy, &random)
        var bytes = try #require(try File.read(path))
        File.remove(path)
        let at = Int.random(in: 0..<bytes.count, using: &random)
        if kind != .entryFileMissing {
            damage(&bytes, kind, at: at, &random)
            try File.create(path, bytes)
        }
        return (copy, "\(backEnd.rawValue) \(kind) at \(at)\(isLogKept ? " with -wal" : "")")
    }

    private func path(of kind: Kind, in copy: InspectedFolder, _ random: inout SeededRandom) throws -> String {
        switch kind {
        case .logCut, .logFlipped, .logOverwritten: return copy.path + "-wal"
        case .entryFile, .entryFileMissing:
            let root = copy.path + "_external_soup_blobs"
            let files = try FolderListing(root).files.keys.sorted()
            return root + "/" + (try #require(files.randomElement(using: &random)))
        default: return copy.path
        }
    }

    private func damage(_ bytes: inout [UInt8], _ kind: Kind, at: Int, _ random: inout SeededRandom) {
        func flip(_ count: Int, _ range: Range<Int>) {
            for _ in 0..<count {
                bytes[Int.random(in: range, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
        switch kind {
        case .cut, .logCut: bytes.removeLast(bytes.count - at)
        case .cutShort: bytes.removeLast(bytes.count - at % 1200)
        case .flipped, .logFlipped, .entryFile: flip(20, 0..<bytes.count)
        case .header: flip(8, 0..<min(120, bytes.count))
        case .zeroed:
            for offset in at..<min(bytes.count, at + 6000) {
                bytes[offset] = 0
            }
        case .overwritten, .logOverwritten:
            for offset in at..<min(bytes.count, at + 3000) {
                bytes[offset] = UInt8.random(in: 0...255, using: &random)
            }
        case .pagesSwapped:
            let pages = bytes.count / 4096
            let other = Int.random(in: 0..<pages, using: &random) * 4096
            let one = min(at / 4096, pages - 1) * 4096
            for offset in 0..<4096 {
                bytes.swapAt(one + offset, other + offset)
            }
        case .entryFileMissing: break
        }
    }
}
