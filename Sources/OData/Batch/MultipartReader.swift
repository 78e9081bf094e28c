import Soups

/// Reads a multipart batch: requests or answers, with change sets.
///
/// Lines may end in CRLF or LF, text may come before the first and after the last delimiter, blank lines before a
/// message, and blanks after a delimiter. The boundary ends a message, not its Content-Length. Each
/// byte is looked at once for the batch, and once for the change set around it. Source: RFC 2046, 5.1; OData Protocol
/// 4.01, 11.7.7; MS-ODATA 2.2.7.6.
struct MultipartReader {
    let limits: ODataBatch.Limits
    private let bytes: ArraySlice<UInt8>
    private(set) var direction: ODataBatch.Direction?
    private var count = 0
    /// The offset of the first line that seems to end in a delimiter, where one should begin.
    private var gluedDelimiter: Int?

    /// The bytes after a byte order mark; offsets are those of the whole.
    init(_ bytes: ArraySlice<UInt8>, direction: ODataBatch.Direction?, limits: ODataBatch.Limits) {
        self.bytes = bytes
        self.direction = direction
        self.limits = limits
    }

    mutating func read(_ contentType: ContentType?) throws(Fault) -> ODataBatch {
        let boundary = try boundary(of: contentType)
        var batch = ODataBatch()
        for content in try parts(of: bytes, boundary, atMost: limits.parts) {
            let (headers, rest) = try headers(of: content)
            let type = ContentType(headers["content-type"] ?? "")
            if type.mediaType.utf8.starts(with: "multipart/".utf8) {
                batch.append(try changeSet(rest, type))
            } else {
                batch.append(try message(rest, headers, type))
            }
        }
        if direction == .response, let gluedDelimiter {
            // The answer after it would be missed, and the following ones would be taken for those of other requests.
            throw Fault(
                .syntax, "a delimiter of the batch or change set follows the body before it on the same line",
                offset: gluedDelimiter)
        }
        return batch
    }

    /// The boundary that the Content-Type names; without one, that of the first line.
    private func boundary(of type: ContentType?) throws(Fault) -> String {
        if let type {
            guard type.mediaType.utf8.starts(with: "multipart/".utf8) else {
                throw Fault(.syntax, "the Content-Type of a batch must be multipart/mixed or JSON", offset: 0)
            }
            return try boundary(of: type, at: 0)
        }
        var lines = BatchLines(bytes)
        while let line = lines.next() {
            let text = String(decoding: line.dropFirst(2), as: UTF8.self)
            let end = text.utf8.lastIndex { $0 != 0x20 && $0 != 0x09 }
            if line.starts(with: "--".utf8), let end, MultipartBoundary.isValid(String(text[...end])) {
                return String(text[...end])
            }
        }
        throw Fault(.truncated, "the batch has no delimiter", offset: bytes.endIndex)
    }

    private func boundary(of type: ContentType, at offset: Int) throws(Fault) -> String {
        guard let boundary = type["boundary"], MultipartBoundary.isValid(boundary) else {
            throw Fault(.syntax, "the Content-Type of a batch or change set has no valid boundary", offset: offset)
        }
        return boundary
    }

    /// The contents between the delimiters. Reading ends at the first part that is too many.
    private mutating func parts(
        of bytes: ArraySlice<UInt8>, _ boundary: String, atMost limit: Int
    ) throws(Fault) -> [ArraySlice<UInt8>] {
        let delimiter = Array("--\(boundary)".utf8)
        var parts: [ArraySlice<UInt8>] = []
        var lines = BatchLines(bytes)
        var start: Int?
        while let line = lines.next() {
            guard line.starts(with: delimiter) else {
                guard endsInDelimiter(line, delimiter) else { continue }
                guard start != nil else {
                    // Its part would be missed, and the answers after it taken for those of other requests.
                    throw Fault(
                        .syntax, "the first delimiter of the batch or change set does not begin its line",
                        offset: lines.start)
                }
                if gluedDelimiter == nil, beginsPart(lines) {
                    gluedDelimiter = lines.start
                }
                continue
            }
            var rest = line.dropFirst(delimiter.count)
            let isClosing = rest.starts(with: "--".utf8)
            if isClosing, lines.isAtEnd, rest.last == 0x0D {
                // Half of the line end after the closing delimiter.
                rest = rest.dropLast()
            }
            guard rest.dropFirst(isClosing ? 2 : 0).allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { continue }
            if let start {
                parts.append(content(bytes, from: start, to: lines.start))
            }
            if isClosing {
                return parts
            }
            guard parts.count < limit else {
                throw tooMany(at: lines.position)
            }
            start = lines.position
        }
        throw Fault(.truncated, "the closing delimiter of the batch or change set is missing", offset: bytes.endIndex)
    }

    private func endsInDelimiter(_ line: ArraySlice<UInt8>, _ delimiter: [UInt8]) -> Bool {
        let end = line.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? line.startIndex
        return line[..<end].suffix(delimiter.count).elementsEqual(delimiter)
    }

    /// Whether the next line that is not blank is a header of a part. A text that only ends like a delimiter has none.
    private func beginsPart(_ lines: BatchLines) -> Bool {
        var ahead = lines
        while let line = ahead.next() {
            guard !line.isEmpty else { continue }
            let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
            return ["content-type", "content-transfer-encoding", "content-id"].contains(name.lowercased())
        }
        return false
    }

    /// The bytes before a delimiter, without the line end that belongs to it.
    private func content(_ bytes: ArraySlice<UInt8>, from start: Int, to delimiter: Int) -> ArraySlice<UInt8> {
        var end = delimiter
        if end > start, bytes[end - 1] == 0x0A {
            end -= 1
            if end > start, bytes[end - 1] == 0x0D {
                end -= 1
            }
        }
        return bytes[start..<end]
    }

    private mutating func changeSet(
        _ content: ArraySlice<UInt8>, _ type: ContentType
    ) throws(Fault) -> ODataBatch.ChangeSet {
        var changeSet = ODataBatch.ChangeSet([])
        let boundary = try boundary(of: type, at: content.startIndex)
        for part in try parts(of: content, boundary, atMost: limits.parts - count) {
            let (headers, rest) = try headers(of: part)
            let type = ContentType(headers["content-type"] ?? "")
            guard !type.mediaType.utf8.starts(with: "multipart/".utf8) else {
                throw Fault(.syntax, "a batch or change set is nested in a change set", offset: part.startIndex)
            }
            let message = try message(rest, headers, type)
            guard !message.isRead else {
                throw Fault(.syntax, "a change set must not contain a GET", offset: rest.startIndex)
            }
            changeSet.messages.append(message)
        }
        return changeSet
    }

    private func tooMany(at offset: Int) -> Fault {
        Fault(.limitExceeded, "the batch has more than \(limits.parts) parts", offset: offset)
    }
}

extension MultipartReader {
    /// Headers by their names in lower case, as written, in order.
    struct Headers {
        var list: [ODataBatch.Message.Header] = []

        subscript(_ name: String) -> String? { list.first { $0.name.lowercased() == name }?.value }
    }

    /// The headers up to the first blank line, and what follows it. Blank lines before the headers are skipped.
    ///
    /// - Parameter isOfRequest: Whether they are those of a request, of which some are not allowed in a batch (OData
    ///   Protocol 4.01, 11.7.2).
    private func headers(
        of content: ArraySlice<UInt8>, isOfRequest: Bool = false
    ) throws(Fault) -> (Headers, ArraySlice<UInt8>) {
        var lines = BatchLines(content)
        var headers = Headers()
        while let line = lines.next() {
            if line.isEmpty {
                if headers.list.isEmpty {
                    continue
                }
                return (headers, lines.rest)
            }
            guard headers.list.count < limits.headers else {
                throw Fault(
                    .limitExceeded, "a part of the batch has more than \(limits.headers) headers", offset: lines.start)
            }
            let header = try header(line)
            guard !isOfRequest || BatchText.isAllowedInPart(header.name) else {
                throw BatchText.forbidden(header.name, at: lines.start)
            }
            headers.list.append(header)
        }
        return (headers, lines.rest)
    }

    private func header(_ line: ArraySlice<UInt8>) throws(Fault) -> ODataBatch.Message.Header {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), BatchText.isToken(line[..<colon]) else {
            let isFolded = line.first == 0x20 || line.first == 0x09
            throw Fault(
                .syntax,
                isFolded ? "a header is continued on a second line" : "expected a header: a name, a colon and a value",
                offset: line.startIndex)
        }
        guard BatchText.isValue(line) else {
            throw Fault(.syntax, "the value of a header has a control character", offset: line.startIndex)
        }
        let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
        let end = value.lastIndex { $0 != 0x20 && $0 != 0x09 }
        return .init(
            String(decoding: line[..<colon], as: UTF8.self),
            String(decoding: value[..<(end.map { $0 + 1 } ?? value.startIndex)], as: UTF8.self))
    }

    /// A request or an answer, with the headers of its part.
    private mutating func message(
        _ content: ArraySlice<UInt8>, _ part: Headers, _ type: ContentType
    ) throws(Fault) -> ODataBatch.Message {
        guard type.mediaType == "application/http" else {
            throw Fault(
                .syntax, "a part of a batch must be application/http or a change set", offset: content.startIndex)
        }
        count += 1
        guard count <= limits.parts else {
            throw tooMany(at: content.startIndex)
        }
        var lines = BatchLines(content)
        var first: ArraySlice<UInt8>?
        while let line = lines.next() {
            if !line.isEmpty {
                first = line
                break
            }
        }
        guard let first else {
            throw Fault(.syntax, "a part of the batch is empty", offset: content.startIndex)
        }
        var message = ODataBatch.Message(try start(first))
        let (headers, body) = try headers(after: lines)
        message.headers = headers.list
        message.contentID = part["content-id"] ?? headers["content-id"]
        message.body = Self.body(body, length: headers["content-length"].flatMap(Int.init))
        return message
    }

    /// The headers of a message, which may be none: then a blank line follows its first line at once.
    private func headers(after lines: BatchLines) throws(Fault) -> (Headers, ArraySlice<UInt8>) {
        var ahead = lines
        guard let line = ahead.next(), !line.isEmpty else {
            return (Headers(), ahead.rest)
        }
        return try headers(of: lines.rest, isOfRequest: direction == .request)
    }

    /// The body; nil for none. Line ends after a body of the stated length are not part of it, and line ends alone are
    /// a body only if a length says so.
    private static func body(_ bytes: ArraySlice<UInt8>, length: Int?) -> [UInt8]? {
        func isBlank(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.allSatisfy { $0 == 0x0A || $0 == 0x0D } }
        if let length, length > 0, length <= bytes.count, isBlank(bytes.dropFirst(length)) {
            return Array(bytes.prefix(length))
        }
        return isBlank(bytes) ? nil : Array(bytes)
    }

    /// The first line: `METHOD url HTTP/1.1` or `HTTP/1.1 200 OK`. The first message says which of them a batch has, if
    /// the caller does not know it.
    private mutating func start(_ line: ArraySlice<UInt8>) throws(Fault) -> ODataBatch.Message.Start {
        let isAnswer = line.starts(with: "HTTP/".utf8)
        let found = isAnswer ? ODataBatch.Direction.response : .request
        guard direction == nil || direction == found else {
            throw Fault(
                .syntax, isAnswer ? "an answer is in a batch of requests" : "a request is in a batch of answers",
                offset: line.startIndex)
        }
        direction = found
        guard BatchText.isValue(line) else {
            throw Fault(.syntax, "the first line of a message has a control character", offset: line.startIndex)
        }
        return isAnswer ? try answer(line) : try request(line)
    }

    private func answer(_ line: ArraySlice<UInt8>) throws(Fault) -> ODataBatch.Message.Start {
        let parts = line.split(separator: 0x20, maxSplits: 2)
        guard parts.count >= 2, isVersion(parts[0]), parts[1].count == 3,
            let status = Int(String(decoding: parts[1], as: UTF8.self)), (100...599).contains(status)
        else {
            throw Fault(.syntax, "expected a status line: HTTP/1.1 and a status", offset: line.startIndex)
        }
        return .answer(status: status, reason: parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : "")
    }

    private func request(_ line: ArraySlice<UInt8>) throws(Fault) -> ODataBatch.Message.Start {
        let parts = line.split(separator: 0x20)
        guard parts.count == 3, BatchText.isToken(parts[0]), isVersion(parts[2]) else {
            throw Fault(
                .syntax, "expected a request line: a method, a URL and HTTP/1.1", offset: line.startIndex)
        }
        let url = String(decoding: parts[1], as: UTF8.self)
        guard !BatchText.isBatch(url) else {
            throw Fault(.syntax, "a batch is nested in a batch", offset: line.startIndex)
        }
        return .request(method: String(decoding: parts[0], as: UTF8.self), url: url)
    }

    private func isVersion(_ text: ArraySlice<UInt8>) -> Bool {
        text.starts(with: "HTTP/1.".utf8) && text.count == 8 && (text.last ?? 0) &- 0x30 < 10
    }
}
