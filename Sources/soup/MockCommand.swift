import ArgumentParser
import JSONText
import LoopbackHTTP
import MockService
import Platform

/// `soup mock`: a service to test clients against.
struct MockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mock",
        abstract: "Answers as a service of records does, on 127.0.0.1, with failures by rule.",
        discussion: """
            For tests of clients in any language: records, queries, composite calls and collections below \
            /services/data/v66.0, in memory, without TLS. The first line that is printed is the address. Account, \
            Contact and Opportunity are known; the data file may add types, records, options and a clock:
              {"records": {"Account": [{"Name": "Acme"}]}, "options": {"pageSize": 200},
               "clock": {"now": "2026-01-01T00:00:00Z", "step": 1000}}
            Without a clock in the file, records and answers have the time of the system.

            A rule says what goes wrong at which requests (call, method, path, object, record, nth, times):
              [{"fault": "dropAfter", "call": "create", "nth": 2},
               {"fault": "status", "status": 503, "path": "/composite", "times": "always"}]
            Faults: status, expiredCursors, notJSON, cutJSON, otherShape, html, shortBody, dropBefore, dropAfter, \
            timeOut, delay, totalSize, change, clock, refuse, oneShort, oneMore, reversed, nullAmong, withoutId, \
            spoil, signal. A signal is printed as a line.

            The log has a JSON object for each request: number, call, method, target, headers without credentials, \
            body, status, ending, applied, faults.

            Examples:
              soup mock --port 8080 --data records.json
              soup mock --data records.json --faults rules.json --log requests.jsonl
              soup mock odata --metadata metadata.xml
              curl 'http://127.0.0.1:8080/services/data/v66.0/query?q=select+Id+from+Account'

            \(
                ExitStatus.help(
                    success: "never: it runs until it is interrupted", usage: "a file or port that cannot be used",
                    interrupted: true))
            """, subcommands: [Records.self, OData.self], defaultSubcommand: Records.self)

    /// The service of records, which `soup mock` is without another word.
    struct Records: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "records",
            abstract: "Answers as a service of records does: what soup mock is without another word.",
            discussion: ExitStatus.help(
                success: "never: it runs until it is interrupted", usage: "a file or port that cannot be used",
                interrupted: true))

        @Option(help: "The port on 127.0.0.1; 0 lets the system choose one.")
        var port: UInt16 = 0

        @Option(help: "The JSON file with records, types, options and clock; - is standard input.")
        var data: String?

        @Option(help: "The JSON file with rules for faults.")
        var faults: String?

        @Option(help: "The file to which a line is added for each request.")
        var log: String?

        func run() throws {
            let records = try data.map { try FileBytes.all(of: $0) } ?? Array("{}".utf8)
            let service = try MockFile.service(records, clock: MockClock(now: SystemClock.wallMilliseconds))
            let followsSystem = try JSONValue(parsing: records)["clock"] == nil
            let rules = try faults.map { try MockFile.rules(try FileBytes.all(of: $0)) } ?? []
            for rule in rules {
                service.add(rule)
            }
            service.options.logLimit = 0
            let requests = try log.map { try MockLog($0) }
            service.onSignal { name in MockLog.say("signal \(name)") }
            let server = try LoopbackServer(port: port) { request in
                if followsSystem {
                    service.clock.now = SystemClock.wallMilliseconds
                }
                let answer = service.handle(request)
                requests?.add(request, answer)
                return LoopbackAnswer(answer)
            }
            MockLog.say("http://127.0.0.1:\(server.port)")
            CleanEnd.watch { server.stop() }
            while true {
                CurrentThread.sleep(.seconds(3_600))
            }
        }
    }
}

extension LoopbackAnswer {
    /// What the mock service decided, over a connection.
    init(_ answer: MockAnswer) {
        let ending: Ending =
            switch answer.ending {
            case .whole: .whole
            case .cut(let count): .cut(afterBytes: count)
            case .dropped: .dropped
            case .silent: .silent
            }
        self.init(answer.response, ending: ending, delay: answer.delay)
    }
}
