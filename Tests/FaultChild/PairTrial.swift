import OfflineStore
import Platform
import SQLiteAccess
import Soups

/// Lets two processes do everything to one store for a while, kills one of them now and then, and looks at what is
/// left: the store is sound and what the logs of commits make of it, no file is left over, and every consumer was
/// right.
struct PairTrial {
    let backEnd: BackEnd
    let folder: String
    let seconds: Int
    let seed: UInt64
    let plant: PairPlant?

    /// - Parameter arguments: Back end, folder, seconds, seed, and a plant or nothing.
    init?(_ arguments: [String]) {
        guard (4...5).contains(arguments.count), let backEnd = BackEnd(rawValue: arguments[0]),
            let seconds = Int(arguments[2]), let seed = UInt64(arguments[3])
        else { return nil }
        (self.backEnd, folder, self.seconds, self.seed) = (backEnd, arguments[1], seconds, seed)
        plant = arguments.count > 4 ? PairPlant(rawValue: arguments[4]) : nil
    }

    /// Returns whether all was right.
    func run() throws -> Bool {
        try Folder.make(PairFiles.stores(folder))
        try Folder.make(PairFiles.temporary(folder))
        try PairFiles.write(seed: seed, folder)
        let store = try PairFiles.open(backEnd, path: PairFiles.store(folder), key: 7)
        try WritersModel.prepare(store)
        try store.close()
        var draws = Draws(seed: seed)
        var children = try [1, 2].map { try start($0) }
        var kills = 0
        let end = ContinuousClock.now + .seconds(seconds)
        while .now < end, !children.contains(where: \.hasEnded) {
            CurrentThread.sleep(.milliseconds(200 + draws.below(1500)))
            guard .now < end, !children.contains(where: \.hasEnded) else { break }
            let victim = draws.below(2)
            children[victim].kill()
            kills += 1
            children[victim] = try start(victim + 1)
        }
        var wrong = try finish(&children)
        let notes = try [1, 2].map { try Notes(PairFiles.log(folder, $0)) }
        wrong += check(notes.map(\.commits), kills: kills)
        wrong += strayFiles()
        print("\(backEnd.rawValue), seed \(seed), \(seconds) s, \(kills) kills: " + Notes.summary(notes))
        for finding in wrong {
            print("  finding: \(finding)")
        }
        print(wrong.isEmpty ? "  all right" : "  \(wrong.count) findings")
        return wrong.isEmpty
    }

    private func start(_ number: Int) throws -> ChildProcess {
        try ChildProcess(
            CommandLine.arguments[0],
            ["pair-process", backEnd.rawValue, folder, String(number), String(seed)]
                + (plant.map { [$0.rawValue] } ?? []),
            adding: ["TMPDIR": PairFiles.temporary(folder)])
    }

    /// Has both processes come to rest, makes the last commit, and waits for their end. Returns what was wrong.
    private func finish(_ children: inout [ChildProcess]) throws -> [String] {
        try File.create(PairFiles.stopSign(folder))
        let patience = ContinuousClock.now + .seconds(120)
        for (index, child) in children.enumerated() {
            while !File.exists(PairFiles.quietSign(folder, index + 1)), !child.hasEnded, .now < patience {
                CurrentThread.sleep(.milliseconds(10))
            }
        }
        let (store, _) = try PairFiles.open(backEnd, folder)
        let last = try WritersModel(seed: seed).commit(store, writer: 0)
        try File.replace(PairFiles.lastSign(folder), with: Array("\(last)".utf8))
        var wrong: [String] = []
        for (index, child) in children.enumerated() {
            while !child.hasEnded, .now < patience {
                CurrentThread.sleep(.milliseconds(10))
            }
            guard child.hasEnded else {
                child.kill()
                wrong.append("process \(index + 1) did not end")
                continue
            }
            let text = String(decoding: try child.output.readAll(), as: UTF8.self)
            if child.wait() != .exited(code: 0) {
                wrong.append("process \(index + 1) ended with \(child.wait()): \(text)")
            }
        }
        let report = try store.integrityCheckNow()
        wrong += report.findings.map { "the last check found \($0.code.rawValue) \($0.soup ?? "")" }
        var model = WritersModel(seed: seed)
        model.advance(to: last)
        wrong += model.difference(from: try WritersContent(store)).map { ["the store is not a commit: \($0)"] } ?? []
        // Removes what killed backups have left at their paths.
        for process in [1, 2] {
            try PairFiles.backUp(store, backEnd, folder, process) { content in
                wrong += model.difference(from: content).map { ["the last backup is not a commit: \($0)"] } ?? []
            }
        }
        try store.close()
        return wrong
    }

    /// Every commit is in one log, but for one for each kill: between its end and its line in the log.
    private func check(_ logs: [[Int]], kills: Int) -> [String] {
        let all = logs.joined().sorted()
        guard let last = all.last else { return ["no commit was made"] }
        var wrong: [String] = []
        let twice = zip(all, all.dropFirst()).filter { $0 == $1 }.map(\.0)
        if !twice.isEmpty {
            wrong.append("commits \(twice.prefix(3)) are in the logs twice")
        }
        // The last commit is the referee's.
        let final = Int(String(decoding: (try? File.read(PairFiles.lastSign(folder))) ?? [], as: UTF8.self)) ?? -1
        let missing = Set(1..<max(1, final)).subtracting(all)
        if missing.count > kills {
            wrong.append("\(missing.count) commits are in no log after \(kills) kills")
        }
        if last >= final {
            wrong.append("the log has commit \(last), and the store ends with \(final)")
        }
        return wrong
    }

    /// What is in the folders besides the store.
    private func strayFiles() -> [String] {
        let expected: Set = ["store.db", "store.db_external_soup_blobs"]
        let left = Folder.names(in: PairFiles.stores(folder)).filter { !expected.contains($0) }
        let temporary = Folder.names(in: PairFiles.temporary(folder))
        return (left + temporary.map { "temporary/" + $0 }).sorted().map { "left over: \($0)" }
    }
}

extension PairTrial {
    /// What one process has noted in its log.
    struct Notes {
        private(set) var commits: [Int] = []
        private var counts: [String: Int] = [:]

        init(_ log: String) throws {
            let text = String(decoding: try File.read(log) ?? [], as: UTF8.self)
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ")
                switch words.first {
                case "commit": commits += words.last.flatMap { Int($0) }.map { [$0] } ?? []
                case "values": counts["values", default: 0] += words.last.flatMap { Int($0) } ?? 0
                default: counts[String(line), default: 0] += 1
                }
            }
        }

        static func summary(_ notes: [Notes]) -> String {
            let commits = notes.map { "\($0.commits.count)" }.joined(separator: " and ")
            let kinds: [(String, String)] = [
                ("undone", "undone"), ("read", "reads of a state"), ("backup", "backups"), ("check", "checks"),
                ("key", "changes of key"), ("key busy", "refused ones"),
                ("key changed elsewhere", "overtaken ones"), ("values", "values to consumers"),
            ]
            let rest = kinds.map { kind, text in "\(notes.reduce(0) { $0 + ($1.counts[kind] ?? 0) }) \(text)" }
            return "\(commits) commits, " + rest.joined(separator: ", ")
        }
    }
}
