import JSONText
import Testing

/// Reads one text with every reader of the module and checks that they agree.
enum JSONReaders {
    enum Verdict: Equatable {
        case accepted
        case refused(JSONError)

        var isRefused: Bool { self != .accepted }
    }

    static func verdict(of text: [UInt8], options: JSONOptions = .default) -> Verdict {
        let tree = outcome { () throws(JSONError) in _ = try JSONValue(parsing: text, options: options) }
        let tape = JSONTape(options: options)
        let projection = JSONProjection(paths: JSONPathSet(["a", "a.b", "c.d"]), options: options)
        let others = text.withUnsafeBytes { bytes in
            [
                outcome { () throws(JSONError) in try tape.read(bytes) },
                // It always refuses duplicate names. If another reader accepts them, the two cannot be compared.
                outcome { () throws(JSONError) in
                    do throws(JSONError) { try projection.read(bytes) } catch {
                        if error.code != .duplicateName || options.refusesDuplicateNames {
                            throw error
                        }
                        _ = try JSONValue(parsing: bytes, options: options)
                    }
                },
                outcome { () throws(JSONError) in try JSONSyntax.check(bytes, options: options) },
            ]
        }
        for other in others where other != tree {
            Issue.record("the readers disagree: \(tree), \(others)")
        }
        return tree
    }

    private static func outcome(_ body: () throws(JSONError) -> Void) -> Verdict {
        do {
            try body()
            return .accepted
        } catch {
            return .refused(error)
        }
    }
}
