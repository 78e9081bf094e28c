import FaultVFS
import MockService
import OfflineStore
import Platform
import SQLiteAccess
import ServiceTransport
import Soups

/// A process that performs one operation on a store and is killed, or meets a fault, in the middle of it.
///
/// Arguments: back end, path of the store, operation, kind of fault, number of the file operation at which it happens.
/// It prints the number of file operations and the outcome. An operation is a `StoreTask`, a `ValueTask`, a `SyncTask`
/// or an `UpTask`. With `backups` or `write` as the first argument it is a `BackupTrial`, or one of its writers; with
/// `delays` or `delays-write` a `DelayTrial` or its writer; with `two-processes` or `pair-process` a `PairTrial`, or
/// one of its processes.
@main
struct FaultChild {
    static func main() throws {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "backups":
            guard let trial = BackupTrial(Array(arguments.dropFirst(2))) else {
                return print("usage: FaultChild backups BACKEND FOLDER COUNT WRITERS ENTRIES SECONDS [plant]")
            }
            guard try trial.run() else {
                CurrentProcess.exit(1)
            }
            return
        case "delays":
            guard let trial = DelayTrial(Array(arguments.dropFirst(2))) else {
                return print("usage: FaultChild delays BACKEND FOLDER COMMITS COMMITS-ELSEWHERE")
            }
            guard try trial.run() else {
                CurrentProcess.exit(1)
            }
            return
        case "delays-write": return try DelayTrial.write(Array(arguments.dropFirst(2)))
        case "write": return try BackupTrial.write(Array(arguments.dropFirst(2)))
        case "two-processes":
            guard let trial = PairTrial(Array(arguments.dropFirst(2))) else {
                return print("usage: FaultChild two-processes BACKEND FOLDER SECONDS SEED [PLANT]")
            }
            guard try trial.run() else {
                CurrentProcess.exit(1)
            }
            return
        case "pair-process": return try pairProcess(Array(arguments.dropFirst(2)))
        default: break
        }
        guard arguments.count == 6, let backEnd = BackEnd(rawValue: arguments[1]),
            let kind = Int32(arguments[4]), let at = Int(arguments[5])
        else {
            return print("usage: FaultChild BACKEND PATH OPERATION KIND AT")
        }
        if let sync = SyncTask(rawValue: arguments[3]) {
            let service = try SyncTask.service().transport
            return try run(backEnd, path: arguments[2], kind: kind, at: at, service) { try sync.run($0, $1) }
        }
        if let sync = UpTask(rawValue: arguments[3]) {
            let journal = UpTask.journal(arguments[2])
            let service = RequestJournal(journal, try UpTask.service(journal).transport)
            return try run(backEnd, path: arguments[2], kind: kind, at: at, service) { try sync.run($0, $1) }
        }
        if let task = ValueTask(rawValue: arguments[3]) {
            return try run(backEnd, path: arguments[2], kind: kind, at: at, task)
        }
        guard let operation = StoreTask(rawValue: arguments[3]) else {
            return print("unknown operation")
        }

        let library = try backEnd.library()
        guard fault_vfs_install(library.path) == 0 else {
            return print("the library's file system cannot be covered")
        }
        var options = StoreOptions(library: library, key: try operation.keySeed(backEnd).map(Self.key))
        options.settings.busyTimeout = 100
        if operation == .load {
            // So few that the load of a few entries writes its -wal back at its end.
            options.settings.checkpointPages = 2
        }
        if operation == .open {
            fault_vfs_arm(kind, at)
        }
        var ending = "done"
        do {
            let store = try SmartStore(path: arguments[2], options: options)
            if operation != .open {
                fault_vfs_arm(kind, at)
            }
            do {
                try operation.run(store, options, newKey: Self.key(8))
            } catch let fault as Fault {
                ending = fault.code.rawValue
                // The disk works again: the same connections must be usable, or throw that they are closed.
                if kind == FAULT_FULL_ONCE.rawValue || kind == FAULT_IO_ONCE.rawValue {
                    do throws(Fault) {
                        _ = try store.allSoupNames()
                    } catch {
                        ending += " then " + error.code.rawValue
                    }
                }
            }
        } catch let fault as Fault {
            ending = fault.code.rawValue
        }
        print("\(fault_vfs_count()) \(ending)")
    }

    /// Runs a sync. Prints the number of file operations, the outcome, and the number of requests.
    private static func run(
        _ backEnd: BackEnd, path: String, kind: Int32, at: Int, _ service: any Transport,
        _ sync: (SmartStore, any Transport) throws -> String
    ) throws {
        let library = try backEnd.library()
        guard fault_vfs_install(library.path) == 0 else {
            return print("the library's file system cannot be covered")
        }
        var options = StoreOptions(library: library, key: backEnd.isKeyed ? try key(7) : nil)
        options.settings.busyTimeout = 100
        let store = try SmartStore(path: path, options: options)
        let moment = KillingTransport.Moment(rawValue: kind)
        let transport = KillingTransport(service, moment, at: at)
        if moment == nil {
            fault_vfs_arm(kind, at)
        }
        let ending = try sync(store, transport)
        print("\(fault_vfs_count()) \(ending) \(transport.count)")
    }

    /// Does something to a key-value store. Prints the number of file operations and the outcome.
    private static func run(_ backEnd: BackEnd, path: String, kind: Int32, at: Int, _ task: ValueTask) throws {
        let library = try backEnd.library()
        guard fault_vfs_install(library.path) == 0 else {
            return print("the library's file system cannot be covered")
        }
        let options = StoreOptions(library: library, key: backEnd.isKeyed ? try key(7) : nil)
        let values = try KeyValueStore(path: path, options: options)
        fault_vfs_arm(kind, at)
        var ending = "done"
        do {
            try task.run(values, newKey: key(8))
        } catch let fault as Fault {
            ending = fault.code.rawValue
        }
        print("\(fault_vfs_count()) \(ending)")
    }

    /// Is one of the two processes of a `PairTrial`. Prints what was wrong.
    private static func pairProcess(_ arguments: [String]) throws {
        guard var process = try PairProcess(arguments) else {
            return print("usage: FaultChild pair-process BACKEND FOLDER NUMBER SEED [PLANT]")
        }
        var wrong: [String]
        do {
            wrong = try process.run()
        } catch {
            wrong = ["\(error)"]
        }
        guard wrong.isEmpty else {
            print(wrong.joined(separator: "; "))
            CurrentProcess.exit(1)
        }
    }

    static func key(_ seed: UInt8) throws(Fault) -> Key { try Key(raw: (0..<32).map { seed &+ UInt8($0) }) }
}
