import Benchmarking
import JSONText
import OfflineStore
import SQLiteAccess
import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The other libraries that people would pick for the same work, each a program of its own that reads a request a line
/// and answers it with a line. `ci/peers/compare` builds them and sets the variables that name them.
enum PeerProgram: String, CaseIterable {
    /// Statements that GRDB caches, with texts in and out.
    case grdb
    /// GRDB's records, which are Codable.
    case grdbCodable = "grdb-codable"
    /// Python's sqlite3 with indexes on expressions.
    case python

    var arm: Arm { Arm(rawValue) }

    private var variable: String {
        switch self {
        case .grdb, .grdbCodable: "SOUP_PEER_GRDB"
        case .python: "SOUP_PEER_PYTHON"
        }
    }

    /// The program's path; nil if its variable is not set.
    var path: String? {
        ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    private var way: String { self == .grdbCodable ? "codable" : "statements" }

    /// Starts the program and lets it prepare: it reads its documents or opens its filled file before a clock runs.
    ///
    /// - Throws: `libraryUnavailable` if no variable names it; `invalidArguments` with the program's own message, or if
    ///   its durability or page size is not the store's.
    func prepare(_ work: PeerWork, _ corpus: StoreCorpus, _ workplace: Workplace) throws -> PeerSubject {
        let folder = work.writes ? workplace.folder : try filled(corpus, workplace)
        let questions = PeerQuestions(work, corpus, seed: workplace.seed)
        var members: [(String, JSONValue)] = [
            ("times", .number(JSONNumber(Int64(work.times)))),
            ("pageSize", .number(JSONNumber(Int64(work.pageSize)))),
            ("ids", .array(questions.ids.map { .number(JSONNumber($0)) })),
            ("keys", .array(questions.keys.map { .string($0) })),
            ("word", .string(questions.word)),
        ]
        if work.writes {
            members.append(("documents", .string(try documents(corpus, workplace))))
        }
        return PeerSubject(
            try start(work.rawValue, file: folder + "/peer.db", members), answer: workplace.folder + "/answer")
    }

    /// A folder with a file that the program itself has filled, created once in a run.
    private func filled(_ corpus: StoreCorpus, _ workplace: Workplace) throws -> String {
        let documents = try documents(corpus, workplace)
        return try workplace.template("peer-filled-\(corpus.count)") { folder in
            let process = try start(
                PeerWork.insertFullText.rawValue, file: folder + "/peer.db",
                [("documents", .string(documents)), ("times", 1), ("pageSize", 1)])
            _ = try process.ask(["run": true])
            process.finish()
        }
    }

    private func documents(_ corpus: StoreCorpus, _ workplace: Workplace) throws -> String {
        try workplace.template("peer-documents-\(corpus.count)") { folder in
            var lines: [UInt8] = []
            try corpus.forEachBatch { batch in
                for document in batch {
                    lines += document + [UInt8(ascii: "\n")]
                }
            }
            try Data(lines).write(to: URL(filePath: folder + "/documents.jsonl"))
        } + "/documents.jsonl"
    }

    private func start(_ work: String, file: String, _ members: [(String, JSONValue)]) throws -> WorkerProcess {
        guard let path else {
            throw Fault(.libraryUnavailable, "set \(variable) to the program of the peer \(rawValue)")
        }
        let settings = ConnectionSettings()
        let process = try WorkerProcess(executable: path, arguments: [], padding: 0)
        let request: [(String, JSONValue)] = [
            ("work", .string(work)), ("way", .string(way)), ("file", .string(file)),
            ("batch", .number(JSONNumber(Int64(StoreCorpus.batch)))),
            ("page", .number(JSONNumber(Int64(settings.pageSize)))),
            ("cache", .number(JSONNumber(Int64(settings.cacheSize)))),
        ]
        let answer = try process.ask(.object(JSONObject(request + members)))
        guard answer["journal"]?.string == "wal", answer["synchronous"]?.int64 == 2,
            answer["page"]?.int64 == Int64(settings.pageSize)
        else {
            throw Fault(.invalidArguments, "the peer \(rawValue) does not work with the settings of the store")
        }
        return process
    }
}

/// The work of a peer: requests to its process, which has prepared everything.
final class PeerSubject: Subject {
    private let process: WorkerProcess
    /// The file into which the peer writes what it found.
    private let answer: String

    init(_ process: WorkerProcess, answer: String) {
        self.process = process
        self.answer = answer
    }

    var isInAnotherProcess: Bool { true }

    func run(_ watch: Stopwatch) throws -> Int { Int(try process.ask(["run": true])["units"]?.int64 ?? 0) }

    /// Reads the peer's answer: a line for each number of entries, and one for each entry with its id, a blank and its
    /// document.
    func digest(into digest: inout ContentDigest) throws {
        _ = try process.ask(["answer": .string(answer)])
        var found = PeerAnswer()
        for line in try Data(contentsOf: URL(filePath: answer)).split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
            guard parts.count == 2, let number = Int64(String(decoding: parts[0], as: UTF8.self)) else {
                throw Fault(.invalidArguments, "a line of a peer's answer has no number and no document")
            }
            if parts[1].elementsEqual("entries".utf8) {
                found.add(total: Int(number))
            } else {
                var document = try PeerDocument(json: Array(parts[1]))
                document.id = number
                found.add(document)
            }
        }
        found.feed(&digest)
    }

    func close() throws { process.finish() }
}
