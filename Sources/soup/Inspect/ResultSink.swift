import Platform
import Soups

/// Where the result of an inspection goes: standard output, or a new file.
final class ResultSink {
    /// Why the result could not be written. It ends the command, and says nothing about the store.
    private(set) var failure: Fault?

    private let path: String?
    /// The file, once something is to be written: a question that fails at once leaves none.
    private var file: FileWriter?

    init(path: String? = nil) { self.path = path }

    /// - Throws: `diskFull`, `inputOutput`; `invalidArguments` if the file cannot be created.
    func write(_ bytes: [UInt8]) throws(Fault) {
        guard let path else {
            return try noting("the result cannot be written") { () throws(SystemError) in
                try OpenFile.standardOutput.write(bytes)
            }
        }
        let file = try opened(path)
        try noting("\(path) cannot be written") { () throws(SystemError) in try file.write(bytes) }
    }

    func write(_ text: String) throws(Fault) { try write(Array(text.utf8)) }

    /// Writes what is left, and makes the file if nothing was written.
    ///
    /// - Throws: as `write`.
    func finish() throws(Fault) {
        guard let path else { return }
        let file = try opened(path)
        try noting("\(path) cannot be written") { () throws(SystemError) in try file.finish() }
    }

    /// Removes what was written to the file, which might be taken for the whole.
    func discard() {
        if let path, file != nil {
            File.remove(path)
        }
    }

    /// The file, for its owner only; one that is there stays.
    private func opened(_ path: String) throws(Fault) -> FileWriter {
        if let file {
            return file
        }
        do {
            try File.create(path)
            let file = try FileWriter(path)
            self.file = file
            return file
        } catch {
            throw Fault(.invalidArguments, "cannot create \(path): give the path of a new file")
        }
    }

    private func noting(_ what: String, _ work: () throws(SystemError) -> Void) throws(Fault) {
        do { try work() } catch {
            let fault = Fault(
                error.isDiskFull ? .diskFull : .inputOutput, "\(what): \(error.reason.lowercased())")
            failure = fault
            discard()
            throw fault
        }
    }
}
