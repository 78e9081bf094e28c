import JSONText
import SQLiteAccess
import Soups
import TestSupport

@testable import OfflineStore

/// A new folder with a store of one back end in it, whose clock begins at 1,600,000,000,000 and advances by one with
/// each writing call.
struct StoreFolder {
    let folder: TemporaryFolder
    let backEnd: BackEnd
    var path: String { folder.file("store.db") }

    init(_ backEnd: BackEnd) throws {
        folder = try TemporaryFolder()
        self.backEnd = backEnd
    }

    func options(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> StoreOptions {
        var options = StoreOptions(library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key() : nil)
        options.clock = .stepping(from: 1_600_000_000_000)
        change(&options)
        options.clock = options.clock.keeping(folder)
        return options
    }

    func open(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> SmartStore {
        try SmartStore(path: path, options: options(change))
    }

    /// Reads or changes the file without the store, through a connection of its own.
    func look<R>(_ body: (Connection) throws -> R) throws -> R {
        let connection = try backEnd.connect(path, access: .readWrite)
        defer { connection.close() }
        return try body(connection)
    }

    func texts(_ sql: String) throws -> [String] {
        try look { connection in
            let statement = try connection.prepare(sql)
            var texts: [String] = []
            while try statement.step() {
                texts.append(
                    (0..<statement.columnCount).map { statement.isNull(at: $0) ? "NULL" : statement.text(at: $0) }
                        .joined(separator: "|"))
            }
            return texts
        }
    }
}

extension StoreClock {
    /// The same clock, with a folder that stays for as long as a store has it: it would be removed while a test still
    /// works in it.
    func keeping(_ folder: TemporaryFolder) -> StoreClock {
        StoreClock { withExtendedLifetime(folder) { now() } }
    }
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}

extension [UInt8] {
    var string: String { String(decoding: self, as: UTF8.self) }
}

/// The code of the fault that work throws; nil if it throws none.
func faultCode(_ work: () throws -> Void) -> Fault.Code? {
    do {
        try work()
        return nil
    } catch {
        return (error as? Fault)?.code
    }
}

/// Makes blocking calls in an asynchronous test, where their asynchronous forms would be chosen.
func blocking<R>(_ work: () throws -> R) rethrows -> R { try work() }
