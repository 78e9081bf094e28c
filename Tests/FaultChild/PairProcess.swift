import OfflineStore
import Platform
import SQLiteAccess
import Soups

/// One of two processes that do everything at random to one store: commits, undone ones, reads, backups, checks,
/// changes of key, while its consumers watch. It may be killed at any moment and started again.
struct PairProcess {
    let backEnd: BackEnd
    let folder: String
    let number: Int
    let seed: UInt64
    let plant: PairPlant?
    private var draws: Draws
    private let log: OpenFile
    private var values = 0

    /// - Parameters:
    ///   - arguments: Back end, folder, number of the process, seed of the writers, and a plant or nothing.
    init?(_ arguments: [String]) throws {
        guard (4...5).contains(arguments.count), let backEnd = BackEnd(rawValue: arguments[0]),
            let number = Int(arguments[2]), let seed = UInt64(arguments[3])
        else { return nil }
        self.backEnd = backEnd
        folder = arguments[1]
        self.number = number
        self.seed = seed
        plant = arguments.count > 4 ? PairPlant(rawValue: arguments[4]) : nil
        // Each start does something else, and adds to one log.
        let log = PairFiles.log(folder, number)
        let lines = try File.read(log)?.count { $0 == UInt8(ascii: "\n") } ?? 0
        draws = Draws(seed: seed &+ UInt64(number) &* 1_000_003 &+ UInt64(lines))
        if !File.exists(log) {
            try File.create(log)
        }
        self.log = try OpenFile(log, .appending)
    }

    /// Works until it is asked to stop, and then waits for the last commit. Returns what was wrong.
    mutating func run() throws -> [String] {
        while true {
            let (store, key) = try PairFiles.open(backEnd, folder)
            let consumers = PairConsumers(store, seed: seed, isDeaf: plant == .deafConsumer && number == 1)
            for _ in 0..<(10 + draws.below(40)) where !File.exists(PairFiles.stopSign(folder)) {
                try act(store)
            }
            guard !File.exists(PairFiles.stopSign(folder)) else {
                return try finish(store, consumers)
            }
            let faults = consumers.current.faults
            try end(consumers)
            if backEnd == .cipher, draws.below(3) == 0 {
                try changeKey(store, from: key)
            }
            try store.close()
            guard faults.isEmpty else { return faults }
            CurrentThread.sleep(.milliseconds(draws.below(60)))
        }
    }

    private mutating func act(_ store: SmartStore) throws {
        switch draws.below(100) {
        case 0..<70:
            try note("commit \(WritersModel(seed: seed).commit(store, writer: number))")
        case 70..<80:
            do {
                _ = try WritersModel(seed: seed).commit(store, writer: number, isKept: false)
            } catch is WritersModel.Undone {
                try note("undone")
            }
        case 80..<90:
            try require(WritersContent(store), "a read")
            try note("read")
        case 90..<93:
            try PairFiles.backUp(store, backEnd, folder, number) { try require($0, "a backup") }
            try note("backup")
        case 93..<95:
            let report = try store.integrityCheckNow(draws.below(2) == 0 ? .quick : .full)
            guard report.isSound else {
                throw PairFinding("a check found \(report.findings.map(\.code.rawValue))")
            }
            try note("check")
        default: CurrentThread.sleep(.milliseconds(draws.below(20)))
        }
    }

    /// Succeeds only while the other process has the store closed, or is dead; if that one changes the key at the same
    /// moment, one of them has the wrong key afterwards.
    private func changeKey(_ store: SmartStore, from key: UInt8) throws {
        do throws(Fault) {
            try store.rekey(to: FaultChild.key(key == 7 ? 8 : 7))
        } catch {
            switch error.code {
            case .busy: return try note("key busy")
            case .wrongKey: return try note("key changed elsewhere")
            default: throw error
            }
        }
        try note("key")
    }

    /// Waits until the referee has made the last commit, of which every consumer must hear.
    private mutating func finish(_ store: SmartStore, _ consumers: PairConsumers) throws -> [String] {
        if number == 1 {
            try plant?.atTheEnd(store, folder)
        }
        try File.create(PairFiles.quietSign(folder, number))
        while !File.exists(PairFiles.lastSign(folder)) {
            CurrentThread.sleep(.milliseconds(5))
        }
        let last = Int(String(decoding: try File.read(PairFiles.lastSign(folder)) ?? [], as: UTF8.self)) ?? -1
        var model = WritersModel(seed: seed)
        model.advance(to: last)
        let wrong = consumers.wait(for: last, count: model.entries.count)
        try end(consumers)
        try store.close()
        return wrong
    }

    private func end(_ consumers: PairConsumers) throws {
        consumers.end()
        try note("values \(consumers.current.values)")
    }

    private func require(_ content: WritersContent, _ what: String) throws {
        var model = WritersModel(seed: seed)
        model.advance(to: content.number)
        if let difference = model.difference(from: content) {
            throw PairFinding("\(what) is not a commit: \(difference)")
        }
    }

    private func note(_ line: String) throws { try log.write(Array("\(line)\n".utf8)) }
}

/// Something that must not happen.
struct PairFinding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
