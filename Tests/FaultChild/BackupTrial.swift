import OfflineStore
import Platform
import SQLiteAccess
import Soups

/// Makes backups of a store while other processes write to it, and compares each with what their commits make of it.
///
/// Prints what it found, and the speed of copying and of writing.
struct BackupTrial {
    let backEnd: BackEnd
    let folder: String
    let count: Int
    let writers: Int
    /// Entries of a kilobyte in the store beside those of the writers.
    let bulk: Int
    /// How long each measurement takes; 0 for none.
    let seconds: Int
    /// Whether a fault is planted into each backup, which must be found.
    let plants: Bool

    private var path: String { folder + "/store.db" }
    private var copy: String { folder + "/copy.db" }

    /// - Parameter arguments: Back end, folder, number of backups, of writers, of further entries, seconds of
    ///   measuring; `plant` to test the trial itself.
    init?(_ arguments: [String]) {
        let numbers = arguments.dropFirst(2).compactMap { Int($0) }
        guard [6, 7].contains(arguments.count), numbers.count == 4, let backEnd = BackEnd(rawValue: arguments[0]) else {
            return nil
        }
        self.backEnd = backEnd
        folder = arguments[1]
        plants = arguments.last == "plant"
        (count, writers, bulk, seconds) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// Returns whether every backup was one commit; with plants, whether every one of them was found.
    func run() throws -> Bool {
        let store = try Self.open(backEnd, path)
        try WritersModel.prepare(store)
        try fill(store)
        var wrong = 0
        var seen: [(number: Int, writer: Int)] = []
        var authors: [Int: Int] = [:]
        var model = WritersModel()
        let children = try (1...writers).map { try start($0) }
        var speed = Speed()
        while try WritersModel.last(of: store).number < 10 {
            CurrentThread.sleep(.milliseconds(5))
        }
        for number in 1...count {
            var summary: BackupSummary?
            try speed.measure {
                summary = try store.backupNow(to: copy)
                return summary?.bytes ?? 0
            }
            let opened = try Self.open(backEnd, copy)
            let last = try WritersModel.last(of: opened)
            model.advance(to: last.number)
            let plant = plants ? BackupPlant.allCases[(number - 1) % BackupPlant.allCases.count] : nil
            try plant?.plant(in: opened, model, writer: last.writer)
            let findings = faults(of: opened, summary, model, &authors)
            wrong += findings.isEmpty ? 0 : 1
            if !findings.isEmpty || plants {
                print("backup \(number)\(plant.map { " with \($0)" } ?? ""), of commit \(last.number): \(findings)")
            }
            try opened.close()
            remove(copy)
            seen.append(last)
        }
        let logs = try stop(children)
        let isLogged = check(logs, seen, plants ? [:] : authors)
        let isRight = isLogged && wrong == (plants ? count : 0)
        let result =
            plants ? "\(wrong) planted faults found" : isRight ? "each equal to one commit" : "NOT ALL EQUAL"
        print(
            "\(backEnd.rawValue): \(count) backups beside \(writers) writing processes, \(Set(seen.map(\.number)).count) different commits of \(logs.joined().count), \(result); \(speed)"
        )
        if seconds > 0 {
            try measure(store)
        }
        try store.close()
        return isRight
    }

    /// What is wrong with a backup: its check, its content, or what its summary says.
    private func faults(
        of opened: SmartStore, _ summary: BackupSummary?, _ model: WritersModel, _ authors: inout [Int: Int]
    ) -> [String] {
        var found: [String] = []
        do {
            let report = try opened.integrityCheckNow()
            found += report.findings.map { "\($0.code.rawValue) \($0.soup ?? "")" }
            let content = try WritersContent(opened)
            found += model.difference(from: content).map { [$0] } ?? []
            authors.merge(content.authors) { $1 }
            var counts = ["s": model.entries.count, "x": model.files.count, "last": 1]
            counts["bulk"] = bulk > 0 ? bulk : nil
            for (soup, expected) in counts where try opened.count(.all(), soup: soup) != expected {
                found.append("\(soup) has not \(expected) entries")
            }
            if let summary, Dictionary(uniqueKeysWithValues: summary.soups.map { ($0.name, $0.entries) }) != counts {
                found.append("its summary counts other entries")
            }
        } catch {
            found.append("it cannot be read: \(error)")
        }
        return found
    }

    /// Whether every commit is in exactly one log, and the commits of backups and entries are in that of the writer
    /// that they name.
    private func check(_ logs: [[Int]], _ seen: [(number: Int, writer: Int)], _ authors: [Int: Int]) -> Bool {
        let all = logs.joined().sorted()
        guard all == Array(all.indices.map { $0 + 1 }) else {
            print("the logs of the writers have gaps, or commits twice")
            return false
        }
        let sets = logs.map { Set($0) }
        let named = seen.map { ($0.number, $0.writer) } + authors.map { ($0.key, $0.value) }
        for (number, writer) in named where !sets.indices.contains(writer - 1) || !sets[writer - 1].contains(number) {
            print("the commit \(number) is not in the log of writer \(writer)")
            return false
        }
        return true
    }

    private func fill(_ store: SmartStore) throws {
        guard bulk > 0 else { return }
        try store.registerSoup("bulk", indexSpecs: [.string("k")])
        let filler = String(repeating: "filler ", count: 140)
        for first in stride(from: 0, to: bulk, by: 1000) {
            let texts = (first..<min(bulk, first + 1000)).map { Array(#"{"k":"bulk \#($0)","t":"\#(filler)"}"#.utf8) }
            try store.upsert(texts, into: "bulk")
        }
    }

    // MARK: - Speed

    /// What one writer does in a while, alone and beside backups, and how fast those are.
    private func measure(_ store: SmartStore) throws {
        var quiet = Speed()
        for _ in 0..<5 {
            try quiet.measure { try store.backupNow(to: copy).bytes }
            remove(copy)
        }
        let alone = try commits { CurrentThread.sleep(.seconds(seconds)) }
        var speed = Speed()
        let beside = try commits {
            let end = ContinuousClock.now + .seconds(seconds)
            while .now < end {
                try speed.measure { try store.backupNow(to: copy).bytes }
                remove(copy)
            }
        }
        print(
            "\(backEnd.rawValue): a backup alone \(quiet); beside one writer \(speed); that writer \(alone) commits/s alone, \(beside) beside backups: \(alone * 100 / max(1, beside)) % of the time of a commit"
        )
    }

    /// The commits of one process in a second, while the work runs.
    private func commits(_ work: () throws -> Void) throws -> Int {
        let child = try start(1)
        // Until it has opened the store.
        CurrentThread.sleep(.milliseconds(500))
        let before = File.size(log(1))
        let began = ContinuousClock.now
        try work()
        let time = began.duration(to: .now) / .seconds(1)
        let lines = try logged(1).count
        let linesBefore = try File.prefix(of: log(1), count: Int(before)).count { $0 == UInt8(ascii: "\n") }
        _ = try stop([child])
        return Int(Double(lines - linesBefore) / time)
    }

    /// Bytes and times of copies.
    private struct Speed: CustomStringConvertible {
        private var rates: [Double] = []
        private var bytes: Int64 = 0

        mutating func measure(_ work: () throws -> Int64) rethrows {
            let began = ContinuousClock.now
            bytes = try work()
            rates.append(Double(bytes) / 1_000_000 / (began.duration(to: .now) / .seconds(1)))
        }

        /// The median of all.
        var description: String {
            let sorted = rates.sorted()
            return
                "\(Int(sorted[sorted.count / 2].rounded())) MB/s at \(bytes / 1_000_000) MB (median of \(sorted.count))"
        }
    }

    // MARK: - Writers

    private func log(_ writer: Int) -> String { folder + "/log-\(writer)" }
    private var stopSign: String { folder + "/stop" }

    private func start(_ writer: Int) throws -> ChildProcess {
        File.remove(log(writer))
        return try ChildProcess(
            CommandLine.arguments[0], ["write", backEnd.rawValue, path, String(writer), log(writer), stopSign])
    }

    /// Has the writers end, and returns the numbers of their commits.
    private func stop(_ children: [ChildProcess]) throws -> [[Int]] {
        try File.create(stopSign)
        defer { File.remove(stopSign) }
        for child in children {
            guard child.wait() == .exited(code: 0) else {
                throw Fault(.inputOutput, "a writer has failed")
            }
        }
        return try children.indices.map { try logged($0 + 1) }
    }

    private func logged(_ writer: Int) throws -> [Int] {
        String(decoding: try File.read(log(writer)) ?? [], as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
    }

    private func remove(_ copy: String) {
        for suffix in ["", "-wal", "-shm", "_external_soup_blobs"] {
            Folder.removeTree(copy + suffix)
        }
    }

    /// Commits until the sign is there, and notes the number of each commit.
    ///
    /// - Parameter arguments: Back end, path of the store, number of the writer, path of its log, path of the sign.
    static func write(_ arguments: [String]) throws {
        guard arguments.count == 5, let backEnd = BackEnd(rawValue: arguments[0]), let writer = Int(arguments[2]) else {
            return print("usage: FaultChild write BACKEND PATH NUMBER LOG STOP")
        }
        let store = try open(backEnd, arguments[1])
        let log = try OpenFile(arguments[3], .replacing)
        while !File.exists(arguments[4]) {
            let number = try WritersModel().commit(store, writer: writer)
            try log.write(Array("\(number)\n".utf8))
        }
        try store.close()
    }

    private static func open(_ backEnd: BackEnd, _ path: String) throws -> SmartStore {
        var options = StoreOptions(library: try backEnd.library(), key: backEnd.isKeyed ? try FaultChild.key(7) : nil)
        options.settings.busyTimeout = 120_000
        return try SmartStore(path: path, options: options)
    }
}
