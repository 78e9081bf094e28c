/// The error of all layers: a code for programs, a message for people, a byte offset in the faulty text, and context
/// such as the soup or path.
///
/// ```swift
/// do {
///     try store.upsert([["name": "Ada"]], into: "people")
/// } catch {
///     // The calls have typed throws: the error is a Fault.
///     guard error.code == .soupNotFound else { throw error }
///     try store.registerSoup("people", indexSpecs: [.string("name")])
/// }
/// ```
///
/// A fault never contains a key or a bound value. The conformance vectors rely on the codes; messages may change.
public struct Fault: Error, Sendable, Hashable {
    /// The kind of the fault, for programs.
    public let code: Code
    /// The description of the fault, for people: lower case, without a full stop.
    public let message: String
    /// A byte offset in the given UTF-8 text, if the fault is about a text.
    public let offset: Int?
    /// The context of the fault: the soup, the path, the store, the numeric result of SQLite. Never a value.
    public let context: [Context]

    /// Creates a fault.
    public init(_ code: Code, _ message: String, offset: Int? = nil, context: [Context] = []) {
        self.code = code
        self.message = message
        self.offset = offset
        self.context = context
    }

    /// One fact in addition to the message.
    public enum Context: Sendable, Hashable {
        /// The name of the soup.
        case soup(String)
        /// The index path.
        case path(String)
        /// The name of the store in its directory.
        case store(String)
        /// The line in a file of entries, starting at 1.
        case line(Int)
        /// SQLite's extended result code.
        case resultCode(Int32)
    }

    /// Returns the same fault with its offset moved, for a text that is part of a longer one.
    public func shifted(by bytes: Int) -> Fault {
        Fault(code, message, offset: offset.map { $0 + bytes }, context: context)
    }

    /// Returns the same fault with one more fact.
    public func adding(_ fact: Context) -> Fault { Fault(code, message, offset: offset, context: context + [fact]) }

    /// The line in a file of entries, if the fault is about one.
    public var line: Int? {
        for case .line(let line) in context {
            return line
        }
        return nil
    }

    /// SQLite's extended result code, if the fault comes from SQLite.
    public var resultCode: Int32? {
        for case .resultCode(let code) in context {
            return code
        }
        return nil
    }
}

extension Fault: CustomStringConvertible {
    /// The code, the message, and in brackets the soup, the path and the offset that the message does not name.
    public var description: String { "\(code.rawValue): \(messageWithFacts)" }

    /// The message, and in brackets the soup, the path and the offset that it does not name.
    package var messageWithFacts: String {
        var facts = namesBesidesMessage
        if let offset {
            facts.append("at byte \(offset)")
        }
        return message(with: facts)
    }

    /// The message, and in brackets the soup and the path that it does not name: for answers that have the offset apart.
    package var messageWithNames: String { message(with: namesBesidesMessage) }

    /// The soup and the path of the context that the message does not name.
    private var namesBesidesMessage: [String] {
        context.compactMap { fact in
            switch fact {
            case .soup(let name) where !message.contains(name.debugDescription): "soup \(Self.quoted(name))"
            case .path(let path) where !message.contains(path.debugDescription): "path \(Self.quoted(path))"
            default: nil
            }
        }
    }

    private func message(with facts: [String]) -> String {
        message + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
    }

    /// A name in quotation marks, with its line breaks escaped and its end cut off if it is long.
    private static func quoted(_ name: String) -> String {
        // By scalars: a character may have any number of them.
        let beginning = String(String.UnicodeScalarView(name.unicodeScalars.prefix(100)))
        return beginning.debugDescription + (beginning.utf8.count < name.utf8.count ? "…" : "")
    }
}
