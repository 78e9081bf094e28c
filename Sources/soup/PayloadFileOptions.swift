import ArgumentParser
import OData
import Soups

/// The file of a payload and what is known about it, the same for all commands that read one.
struct PayloadFileOptions: ParsableArguments {
    @Argument(help: "The file with the payload; - for standard input.") var file: String
    @Option(help: "A metadata document: names and types are checked against it.") var metadata: String?
    @Option(help: "The qualified name of the entity type, if the payload does not state it.") var entityType: String?
    @Option(help: "The version of OData: 1.0, 2.0, 3.0, 4.0 or 4.01; detected if it is not given.") var version: String?
    @Option(help: "The Content-Type of the payload.") var contentType: String?
    @Option(help: "The URL that the payload came from.") var baseURL: String?

    func validate() throws {
        _ = try version.map(ODataCommand.version)
    }

    var knownVersion: ODataVersion? { version.flatMap(ODataVersion.init(rawValue:)) }

    /// Writes a fault to standard error, and returns the error that ends the command: 2 for a file that cannot be read,
    /// which says nothing about its payload, otherwise 1.
    func ending(_ fault: Fault) -> any Error {
        if fault.code == .inputOutput {
            return ExitStatus.refuse(fault.message)
        }
        StandardError.say("\(file): \(fault)")
        return ExitStatus.failure.code
    }

    /// The options of the reader. A file is read in chunks, so its size needs no limit.
    func payloadOptions() throws(Fault) -> PayloadOptions {
        var options = PayloadOptions(
            version: knownVersion, contentType: contentType.map(ContentType.init), baseURL: baseURL,
            entityType: entityType)
        options.limits.totalBytes = .max
        if let metadata {
            options.model = try EdmModel(csdl: try FileBytes.all(of: metadata))
        }
        return options
    }

    /// Reads the payload and hands each step to a closure, the end last.
    func read(_ options: PayloadOptions, _ body: (PayloadStep) throws(Fault) -> Void) throws(Fault) {
        var reader = ODataPayloadReader(options: options)
        let bytes = try FileBytes(file)
        while true {
            let step = try reader.next()
            switch step {
            case .needsInput:
                if let piece = try bytes.next() {
                    try reader.append(piece)
                } else {
                    try reader.finish()
                }
            case .end: return try body(step)
            case .entry, .link: try body(step)
            }
        }
    }
}
