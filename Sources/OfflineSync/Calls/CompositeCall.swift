import JSONText
import ServiceTransport
import Soups

/// A call with the calls of several records as its parts, of which each has an outcome of its own.
struct CompositeCall {
    /// The most parts of a call.
    static let greatestCount = 25

    /// The call of one record.
    struct Part {
        let method: String
        let path: String
        let body: [UInt8]?
    }

    /// The answer to one part.
    struct Answer {
        let status: Int
        let body: JSONValue?

        /// What became of the record of the part.
        func result(_ record: PendingRecord) -> RecordResult {
            RecordAnswer.result(record, status: status, body: body, text: text)
        }

        /// The body as text, for an error without a code.
        private var text: [UInt8] {
            switch body {
            case nil, .null?: []
            case .string(let text)?: Array(text.utf8)
            case let other?: other.bytes()
            }
        }
    }

    private let context: UpContext

    init(_ context: UpContext) { self.context = context }

    /// Sends parts and returns the answer to each; nil for one that was not answered.
    ///
    /// - Throws: also `malformedAnswer` if a part was answered twice, or an answer is to a part that was not sent.
    func send(_ parts: [Part]) async throws -> [Answer?] {
        let request = context.request("POST", context.basePath + "/composite", body: body(parts))
        let response = try await context.succeed(request)
        let elements = try ServiceCalls.object(response, to: request, decidedBy: ["compositeResponse"])[
            "compositeResponse"]?.array
        guard let elements, elements.count <= parts.count else {
            throw ServiceError.malformed(request, "the answer has no array of answers, or one that is too long")
        }
        var answers: [Answer?] = Array(repeating: nil, count: parts.count)
        var seen: Set<Int> = []
        for element in elements {
            guard let element = element.object else { continue }
            guard !element.repeats(["referenceId", "httpStatusCode", "body"]) else {
                throw ServiceError.malformed(request, "the answer to a part has a member twice")
            }
            guard let name = element["referenceId"]?.string else { continue }
            guard let number = Self.number(name), parts.indices.contains(number), seen.insert(number).inserted else {
                throw ServiceError.malformed(request, "the answer names a part that was not sent, or one twice")
            }
            guard let status = element["httpStatusCode"]?.int64.flatMap({ Int(exactly: $0) }) else { continue }
            answers[number] = Answer(status: status, body: element["body"])
        }
        return answers
    }

    private func body(_ parts: [Part]) -> [UInt8] {
        var body = Array(#"{"allOrNone":false,"compositeRequest":["#.utf8)
        for (number, part) in parts.enumerated() {
            if number > 0 {
                body.append(UInt8(ascii: ","))
            }
            body += #"{"method":"\#(part.method)","url":"#.utf8
            body += JSONValue.string(part.path).bytes()
            body += #","referenceId":"\#(Self.name(number))""#.utf8
            if let own = part.body {
                body += #","body":"#.utf8
                body += own
            }
            body.append(UInt8(ascii: "}"))
        }
        body += "]}".utf8
        return body
    }

    /// The reference id of a part: `r1` for the first.
    static func name(_ number: Int) -> String { "r\(number + 1)" }

    /// Refers to the id of the record that the first part creates, in the parts after it.
    static let firstId = "@{\(name(0)).id}"

    private static func number(_ name: String) -> Int? {
        guard name.utf8.first == UInt8(ascii: "r"), let number = Int(name.dropFirst()), number > 0,
            Self.name(number - 1).utf8.elementsEqual(name.utf8)
        else { return nil }
        return number - 1
    }
}
