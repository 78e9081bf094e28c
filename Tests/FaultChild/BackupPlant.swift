import OfflineStore
import Platform
import Soups

/// A fault that is planted into a finished backup, to see that the comparison with the commits finds it.
enum BackupPlant: CaseIterable {
    /// A part of the next commit; an entry or a file too few; one of a commit before; the same key twice; another text;
    /// the number of a commit that is not there.
    case halfACommit, lostEntry, lostFile, olderEntry, entryTwice, otherText, wrongNumber

    /// - Parameters:
    ///   - model: The state that the backup should have.
    ///   - writer: Who made the last commit.
    func plant(in copy: SmartStore, _ model: WritersModel, writer: Int) throws {
        let last = model.number
        guard let (key, number) = model.entries.min(by: { $0.key < $1.key }) else { return }
        switch self {
        case .halfACommit:
            let file = model.change(last + 1).writtenFile
            try copy.upsert([WritersModel.entry(file, last + 1, writer)], into: "x", externalIdPath: "k")
        case .lostEntry:
            try copy.remove(matching: .exact(path: "k", matchKey: .string(key)), from: "s")
        case .lostFile:
            let folder = copy.path + "_external_soup_blobs"
            for table in Folder.names(in: folder) {
                _ = Folder.names(in: "\(folder)/\(table)").first.map { File.remove("\(folder)/\(table)/\($0)") }
            }
        case .olderEntry:
            try copy.upsert([WritersModel.entry(key, number - 1, writer)], into: "s", externalIdPath: "k")
        case .entryTwice:
            try copy.upsert([WritersModel.entry(key, number, writer)], into: "s")
        case .otherText:
            let text = WritersModel.entry(key, number, writer)
            try copy.upsert(
                [Array(String(decoding: text, as: UTF8.self).replacing("words", with: "other").utf8)], into: "s",
                externalIdPath: "k")
        case .wrongNumber:
            try copy.upsert([WritersModel.entry("last", last + 1, writer)], into: "last", externalIdPath: "k")
        }
    }
}
