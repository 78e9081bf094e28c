/// Says what went wrong, in every layer: a code for programs, a message for people, the byte offset into the text at
/// fault, and where.
///
/// No key and no bound value is ever part of it. The codes are the contract of the conformance vectors; the message may
/// change.
public struct Fault: Error, Sendable, Hashable {
    public let code: Code
    public let message: String
    /// A byte offset (UTF-8, from 0) into the text that was given, where there is one.
    public let offset: Int?
    /// What the fault is about: the soup, the path, the store, the numeric result of SQLite. Never a value.
    public let context: [Context]

    public init(_ code: Code, _ message: String, offset: Int? = nil, context: [Context] = []) {
        self.code = code
        self.message = message
        self.offset = offset
        self.context = context
    }

    /// Holds one fact beside the message.
    public enum Context: Sendable, Hashable {
        case soup(String)
        case path(String)
        case store(String)
        /// The line of a file of entries, counted from 1.
        case line(Int)
        /// SQLite's extended result code.
        case resultCode(Int32)
    }

    /// Gives the same fault with its offset moved, for a text that is part of a longer one.
    public func shifted(by bytes: Int) -> Fault {
        Fault(code, message, offset: offset.map { $0 + bytes }, context: context)
    }

    /// Gives the same fault with one more fact beside it.
    public func adding(_ fact: Context) -> Fault { Fault(code, message, offset: offset, context: context + [fact]) }

    /// The line of a file of entries, where the fault is about one.
    public var line: Int? {
        for case .line(let line) in context {
            return line
        }
        return nil
    }

    /// SQLite's extended result code, where SQLite raised the fault.
    public var resultCode: Int32? {
        for case .resultCode(let code) in context {
            return code
        }
        return nil
    }
}

extension Fault: CustomStringConvertible {
    public var description: String {
        "\(code.rawValue): \(message)" + (offset.map { " (at byte \($0))" } ?? "")
    }
}
