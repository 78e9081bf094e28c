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
              curl https://host/shop.svc/Items | soup odata read -
              soup odata read feed.xml --metadata metadata.xml --entity-type Model.Item

            \(ExitStatus.help(
                    success: "read", failure: "malformed payload, with the byte offset of the error",
                    usage: "a file that cannot be read"))
            """)

    @OptionGroup var payload: PayloadFileOptions

    @Flag(help: "Prints only how many entries there are.") var count = false

    func run() throws {
        do throws(Fault) {
            try read()
        } catch {
            throw payload.ending(error)
        }
    }

    private func read() throws(Fault) {
        var entries = 0
        try payload.read(try payload.payloadOptions()) { step throws(Fault) in
            switch step {
            case .entry(let entry):
                entries += 1
                printLine(entry.json)
            case .link(let link): printLine(link.json)
            case .needsInput: break
            case .end(let payload): printEnd(payload)
            }
        }
        if count {
            print(entries)
        }
    }

    private func printLine(_ value: JSONValue) {
        if !count {
            print(value.text())
        }
    }

    /// The entries of a feed are already printed; the feed's own information is printed to standard error.
    private func printEnd(_ payload: ODataPayload) {
        guard !count else { return }
        if case .feed(let feed) = payload {
            StandardError.say(feed.json.text())
        } else {
            printLine(payload.json)
        }
    }
}
