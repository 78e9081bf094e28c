import Foundation
import GRDB

/// Does the work of `soup bench --filter peer-` with GRDB: a request a line, and a line to answer it. The first request
/// prepares (its members are those that PeerProgram.swift sends), then `{"run": true}` does the work once, and
/// `{"answer": path}` writes what was found last.
@main
enum Main {
    static func main() throws {
        if CommandLine.arguments.dropFirst().first == "--version" {
            let version = try DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
            print("GRDB 7.10.0, SQLite \(version ?? "?")")
            return
        }
        var peer: Peer?
        while let line = readLine() {
            do {
                try answer(Data(line.utf8), &peer)
            } catch {
                try send(Refusal(fault: "\(error)"))
            }
        }
        try peer?.pool.close()
    }

    private static func answer(_ line: Data, _ peer: inout Peer?) throws {
        guard let peer else {
            let prepared = try Peer(JSONDecoder().decode(Preparation.self, from: line))
            peer = prepared
            return try send(prepared.settings())
        }
        let request = try JSONDecoder().decode(Request.self, from: line)
        if let path = request.answer {
            try peer.writeAnswer(to: path)
            try send(Done())
        } else {
            try send(Units(units: peer.run()))
        }
    }

    private static func send(_ answer: some Encodable) throws {
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(answer) + Data("\n".utf8))
    }
}
