import ArgumentParser
import JSONText
import LoopbackHTTP
import MockODataService
import Platform

extension MockCommand {
    /// `soup mock odata`: an OData service to test clients against.
    struct OData: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "odata",
            abstract: "Answers as an OData service does, on 127.0.0.1, with failures by rule.",
            discussion: """
                For tests of clients in any language: sets, entities, changes, batches, pages and changes since a link, below \
                /odata/, in memory, without TLS. The first line that is printed is the address. Versions 2.0 (Atom, verbose JSON), \
                3.0 (Atom, JSON light), 4.0 and 4.01 (JSON). Filters may have eq ne gt ge lt le and or not, null, contains, \
                substringof, startswith, endswith, and any with one comparison; anything else is refused with 501. The data file has \
                entities, options and the time of the service:
                  {"entities": {"Products": [{"ID": 1, "Name": "Milk"}]}, "now": "2026-01-01T00:00:00Z",
                   "options": {"version": "4.0", "root": "/odata/", "pageSize": 100, "etags": "weak", "changeLimit": 1000,
                               "requiresETag": false, "takesKeys": false, "refusesReferring": false}}

                A rule says what goes wrong at which requests (call, method, set, path, part, nth, times):
                  [{"fault": "dropAfter", "call": "create", "nth": 2},
                   {"fault": "status", "status": 410, "call": "delta", "times": "always"},
                   {"fault": "status", "status": 412, "part": 3}]
                Faults: status (status, body, retryAfter, afterApplying), dropBefore, dropAfter, cut (byte), shortened (byte), delay \
                (milliseconds), change (entitySet, key, properties, after), signal (name, after), doubledEntity, bothLinks, \
                repeatedLink, foreignLink, withoutETag, withoutKey, reservedMembers, fewerAnswers, moreAnswers, latin1, gzip, \
                byteOrderMark. Calls: service, metadata, set, nextPage, delta, count, entity, property, navigation, links, create, \
                update, replace, delete, batch. A signal is printed as a line.

                The log has a JSON object for each request: number, call, method, target, headers without credentials, body, status, \
                ending, applied, faults.

                Examples:
                  soup mock odata --port 8080 --metadata metadata.xml --data entities.json
                  soup mock odata --metadata metadata.xml --version 2.0 --faults rules.json --log requests.jsonl
                  curl 'http://127.0.0.1:8080/odata/Products?$filter=Price%20gt%202'

                \(
                    ExitStatus.help(
                        success: "never: it runs until it is interrupted", usage: "a file or port that cannot be used",
                        interrupted: true))
                """)

        @Option(help: "The port on 127.0.0.1; 0 lets the system choose one.")
        var port: UInt16 = 0

        @Option(help: "The metadata document of the service.")
        var metadata: String

        @Option(help: "The JSON file with entities, options and time; - is standard input.")
        var data: String?

        @Option(
            help: "The version of OData: 2.0, 3.0, 4.0 or 4.01. (default: that of the data file, or 4.0)",
            transform: OptionWord.read)
        var version: MockODataVersion?

        @Option(help: "The JSON file with rules for faults.")
        var faults: String?

        @Option(help: "The file to which a line is added for each request.")
        var log: String?

        func run() throws {
            let service = try MockODataFile.service(
                metadata: try FileBytes.all(of: metadata),
                data: try data.map { try FileBytes.all(of: $0) } ?? Array("{}".utf8), version: version)
            for rule in try faults.map({ try MockODataFile.rules(try FileBytes.all(of: $0)) }) ?? [] {
                service.add(rule)
            }
            service.options.logLimit = 0
            let requests = try log.map { try MockLog($0) }
            service.onSignal { name in MockLog.say("signal \(name)") }
            let server = try LoopbackServer(port: port) { request in
                let answer = service.handle(request)
                requests?.add(request, answer, call: service.call(of: request))
                return LoopbackAnswer(answer)
            }
            MockLog.say("http://127.0.0.1:\(server.port)\(service.options.root)")
            CleanEnd.watch { server.stop() }
            while true {
                CurrentThread.sleep(.seconds(3_600))
            }
        }
    }
}

extension LoopbackAnswer {
    /// What the mock service decided, over a connection.
    init(_ answer: MockODataAnswer) {
        let ending: Ending =
            switch answer.ending {
            case .whole: .whole
            case .cut(let count): .cut(afterBytes: count)
            case .dropped: .dropped
            }
        self.init(answer.response, ending: ending, delay: answer.delay)
    }
}
