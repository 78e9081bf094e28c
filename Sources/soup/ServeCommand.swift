import ArgumentParser
import Conformance
import Libc
import SQLiteAccess
import Soups

/// `soup serve`: answers the calls of the conformance vectors as JSON lines.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answers calls as JSON lines, from standard input to standard output.",
        discussion: """
            Each line is a request {"id": 1, "call": "NAME", "args": {...}} and has one answer, {"id": 1, "returns": ...} or \
            {"id": 1, "fails": {"code", "message", "offset"}}; a malformed line is answered with id null. The first call is hello, and \
            reset removes every store. The stores are in a temporary folder, which is removed at the end of input and when the command \
            is interrupted; what a killed one left is removed by the next one, which says so. With --folder the stores are in that folder and stay there.

            Examples:
              echo '{"id": 1, "call": "hello", "args": {}}' | soup serve
              soup serve --backend cipher < calls.jsonl
              soup conform --driver 'soup serve --backend plain' Corpora

            \(ExitStatus.help(success: "the input ended", usage: "a back end that cannot be used", interrupted: true))
            """)

    @Option(help: "The back end: plain, cipher-off or cipher.")
    var backend = "plain"

    @Option(help: "Keeps the stores in DIR/soup-stores, where the next run finds them.")
    var folder: String?

    func validate() throws {
        guard BackEnd(rawValue: backend) != nil else {
            throw ValidationError(
                "unknown back end \(backend); use one of \(BackEnd.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard folder != "" else {
            throw ValidationError("--folder is empty; name a folder, or leave the option out for a temporary one")
        }
    }

    func run() throws {
        guard let backEnd = BackEnd(rawValue: backend) else { return }
        TemporaryStores.watch(command: "serve")
        let store: StoreBackEnd
        // The client limits the time of a call.
        do {
            store = try StoreBackEnd(backEnd, folder: folder, timeLimit: nil)
        } catch {
            throw ExitStatus.refuse(error.message)
        }
        defer { store.close() }
        let server = RequestServer(backEnd: store)
        var splitter = LineSplitter(limit: RequestServer.longestLine)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(0, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR {
                continue
            }
            guard count > 0 else { break }
            for line in splitter.lines(adding: buffer[..<count]) {
                guard answer(line, server) else {
                    return
                }
            }
        }
        if let line = splitter.last() {
            _ = answer(line, server)
        }
    }

    /// Writes the answer at once, because the other side waits for it. Returns false if the other side no longer reads.
    private func answer(_ line: LineSplitter.Line, _ server: RequestServer) -> Bool {
        let answer: [UInt8]?
        switch line {
        case .whole(let bytes): answer = server.answer(to: bytes)
        case .tooLong: answer = server.answerToLongLine()
        }
        guard var rest = answer.map({ $0 + [UInt8(ascii: "\n")] })?[...] else { return true }
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR {
                continue
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
