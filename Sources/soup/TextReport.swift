import Soups

/// Reports what was found in a text of the command line.
enum TextReport {
    /// Prints the lines that the work gives. A fault is reported as `checking` does.
    static func printing(_ text: String, _ work: () throws(Fault) -> [String]) throws {
        var lines: [String] = []
        try checking(text) { () throws(Fault) in lines = try work() }
        for line in lines {
            print(line)
        }
    }

    /// Does the work. A fault is printed to standard error with a mark at its offset in the text, and the exit status
    /// is 1.
    static func checking(_ text: String, _ work: () throws(Fault) -> Void) throws {
        do throws(Fault) {
            try work()
        } catch {
            StandardError.say(error.description)
            if let offset = error.offset, offset <= text.utf8.count, !text.utf8.contains(UInt8(ascii: "\n")) {
                let before = String(decoding: text.utf8.prefix(offset), as: UTF8.self)
                StandardError.say(text + "\n" + String(repeating: " ", count: before.count) + "^")
            }
            throw ExitStatus.failure.code
        }
    }

    /// Does work that may wait. A fault is printed to standard error, and the exit status is 1.
    static func awaiting<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let fault as Fault {
            StandardError.say(fault.description)
            throw ExitStatus.failure.code
        }
    }
}
