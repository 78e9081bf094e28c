import ArgumentParser
import Conformance
import JSONText
import OData
import Soups

/// Prints the entries of a payload as JSON lines, each as soon as it is read.
struct ODataReadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Prints the entries of a payload (Atom or JSON of any version, also gzip) as JSON lines.",
        discussion: """
            Anything but a feed is one line. Links of a delta are lines between its entries.

            Examples:
              soup odata read feed.xml
              soup odata read feed.json.gz --count
              soup odata read feed.xml --metadata metadata.xml --entity-type Model.Item

            \(ExitStatus.help(success: "read", failure: "malformed payload, with the byte offset of the error"))
            """)

    @Argument(help: "The file with the payload.") var file: String
    @Option(help: "A metadata document: names and types are checked against it.") var metadata: String?
    @Option(help: "The qualified name of the entity type, if the payload does not state it.") var entityType: String?
    @Option(help: "The version of OData: 1.0, 2.0, 3.0, 4.0 or 4.01; detected if it is not given.") var version: String?
    @Option(help: "The Content-Type of the payload.") var contentType: String?
    @Option(help: "The URL that the payload came from.") var baseURL: String?

    @Flag(help: "Prints only how many entries there are.") var count = false

    func validate() throws {
        if let version, ODataVersion(rawValue: version) == nil {
            throw ValidationError("'\(version)' is not a version of OData; --version takes 1.0, 2.0, 3.0, 4.0 or 4.01")
        }
    }

    func run() throws {
        do throws(Fault) {
            try read()
        } catch {
            StandardError.say("\(file): \(error)")
            throw ExitStatus.failure.code
        }
    }

    private func read() throws(Fault) {
        var options = PayloadOptions(
            contentType: contentType.map(ContentType.init), baseURL: baseURL, entityType: entityType)
        // A file is read in chunks, so its size needs no limit.
        options.limits.totalBytes = .max
        if let metadata {
            options.model = try EdmModel(csdl: try FileBytes.all(of: metadata))
        }
        if let version = version.flatMap(ODataVersion.init(rawValue:)) {
            options.version = version
        } else {
            options.version = PayloadVersion.guess(try FileBytes.head(of: file, count: 4_096))
        }
        var reader = ODataPayloadReader(options: options)
        let bytes = try FileBytes(file)
        var entries = 0
        while true {
            switch try reader.next() {
            case .entry(let entry):
                entries += 1
                if !count {
                    printLine(entry.json)
                }
            case .link(let link):
                if !count {
                    printLine(link.json)
                }
            case .needsInput:
                if let piece = try bytes.next() {
                    try reader.append(piece)
                } else {
                    try reader.finish()
                }
            case .end(let payload):
                if count {
                    return print(entries)
                }
                // The entries of a feed are already printed; the feed's own information is printed to standard error.
                if case .feed(let feed) = payload {
                    StandardError.say(text(feed.json))
                } else {
                    printLine(payload.json)
                }
                return
            }
        }
    }

    private func printLine(_ value: JSONValue) { print(text(value)) }

    private func text(_ value: JSONValue) -> String { String(decoding: value.bytes(.compact), as: UTF8.self) }
}
