import JSONText
import OfflineStore
import Soups
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads the entries of a soup as lines, in the ways that the store has.
struct LineReadings {
    let store: SmartStore
    let soup: String
    let systemFields: Bool

    /// The lines as from a damaged store.
    func salvaged() throws(Fault) -> String {
        var (lines, count): ([UInt8], Int) = ([], 0)
        let result = try store.salvage(soup: soup, systemFields: systemFields) { (line) throws(Fault) in
            lines += line
            count += 1
        }
        // Entries are missing only where the store is damaged.
        let isComplete = result.missing == 0 ? true : try !store.integrityCheckNow().isSound
        guard result.read == count, isComplete else {
            throw EntryReadings.disagreement("and counted")
        }
        return String(decoding: lines, as: UTF8.self)
    }

    /// The lines; with a path also by a file there, which must have the same.
    func exported(toFile file: String?) throws(Fault) -> String {
        var (lines, count): ([UInt8], Int) = ([], 0)
        try store.forEachLine(ofSoup: soup, systemFields: systemFields, restart: { (lines, count) = ([], 0) }) {
            (line) throws(Fault) in
            lines += line
            count += 1
        }
        let shown = try EntryReadings.ownFaults {
            try store.read { reader in
                var lines: [UInt8] = []
                try reader.forEachLine(of: soup, systemFields: systemFields) { lines += $0 }
                return lines
            }
        }
        guard shown == lines else { throw EntryReadings.disagreement("inside of a reading") }
        if let file {
            try compare(lines, count, withFile: file)
        }
        return String(decoding: lines, as: UTF8.self)
    }

    private func compare(_ lines: [UInt8], _ count: Int, withFile file: String) throws(Fault) {
        let (store, soup, systemFields) = (store, soup, systemFields)
        let reported = Mutex(0)
        let written = try SyncCalls.awaiting {
            try await store.exportJSONLines(soup: soup, to: file, systemFields: systemFields) { number in
                reported.withLock { $0 = number }
            }
        }
        defer { try? FileManager.default.removeItem(atPath: file) }
        guard written == count, reported.withLock({ $0 }) == count,
            FileManager.default.contents(atPath: file) == Data(lines)
        else {
            throw EntryReadings.disagreement("from a file")
        }
    }
}
