import JSONText
import ServiceTransport

/// Reads and writes the multipart bodies of batches.
enum MultipartText {
    /// The parts of a request. Throws 400 for a body that is malformed.
    static func parts(_ body: [UInt8], contentType: String) throws(Refusal) -> [BatchPart] {
        guard let boundary = boundary(contentType) else { throw .malformed("the batch has no boundary") }
        var (parts, group): ([BatchPart], Int) = ([], 0)
        for section in try sections(body[...], boundary) {
            let (headers, content) = head(section)
            let type = value("content-type", headers) ?? ""
            guard type.lowercased().hasPrefix("multipart/mixed") else {
                parts.append(try request(headers, content))
                continue
            }
            guard let inner = self.boundary(type) else { throw .malformed("a change set has no boundary") }
            group += 1
            for section in try sections(content, inner) {
                let (headers, content) = head(section)
                var part = try request(headers, content)
                guard part.method != "GET" else { throw .malformed("a change set has a request that reads") }
                part.group = String(group)
                parts.append(part)
            }
        }
        return parts
    }

    static func body(_ results: [BatchResult], boundary: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = 0
        while index < results.count {
            bytes += Array("--\(boundary)\r\n".utf8)
            guard let group = results[index].part.group, !results[index].isOfGroup else {
                bytes += written(results[index])
                index += 1
                continue
            }
            let inner = "changesetresponse_" + group
            bytes += Array("Content-Type: multipart/mixed; boundary=\(inner)\r\n\r\n".utf8)
            while index < results.count, results[index].part.group == group {
                bytes += Array("--\(inner)\r\n".utf8) + written(results[index])
                index += 1
            }
            bytes += Array("--\(inner)--\r\n".utf8)
        }
        return bytes + Array("--\(boundary)--\r\n".utf8)
    }

    private static func written(_ result: BatchResult) -> [UInt8] {
        var text = "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n"
        if let id = result.part.id {
            text += "Content-ID: \(id)\r\n"
        }
        text += "\r\nHTTP/1.1 \(result.reply.status) Status\r\n"
        for header in result.reply.headers {
            text += "\(header.name): \(header.value)\r\n"
        }
        text += "Content-Length: \(result.reply.body.count)\r\n\r\n"
        return Array(text.utf8) + result.reply.body + Array("\r\n".utf8)
    }

    private static func boundary(_ type: String) -> String? {
        for part in type.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.split(separator: " ").joined() }
            if pair.count == 2, pair[0].lowercased() == "boundary" {
                return pair[1].split(separator: "\"").joined()
            }
        }
        return nil
    }

    /// What is between the lines of a boundary.
    private static func sections(_ body: ArraySlice<UInt8>, _ boundary: String) throws(Refusal) -> [ArraySlice<UInt8>] {
        let mark = Array("--\(boundary)".utf8)
        var (sections, start): ([ArraySlice<UInt8>], Int?) = ([], nil)
        var position = body.startIndex
        while position < body.endIndex {
            let end = body[position...].firstIndex(of: 0x0A).map { $0 + 1 } ?? body.endIndex
            let line = body[position..<end]
            if line.starts(with: mark) {
                if let start {
                    var last = position
                    last -= last > start && body[last - 1] == 0x0A ? 1 : 0
                    last -= last > start && body[last - 1] == 0x0D ? 1 : 0
                    sections.append(body[start..<last])
                }
                if line.dropFirst(mark.count).starts(with: "--".utf8) {
                    return sections
                }
                start = end
            }
            position = end
        }
        throw .malformed("the batch does not end")
    }

    /// The headers of a section, and what follows the empty line.
    private static func head(_ section: ArraySlice<UInt8>) -> (headers: [Pair], ArraySlice<UInt8>) {
        var (headers, rest): ([Pair], ArraySlice<UInt8>) = ([], section)
        while let end = rest.firstIndex(of: 0x0A) {
            var line = rest[..<end]
            rest = rest[(end + 1)...]
            if line.last == 0x0D {
                line.removeLast()
            }
            guard !line.isEmpty else { return (headers, rest) }
            let pair = line.split(separator: UInt8(ascii: ":"), maxSplits: 1).map {
                String(decoding: $0, as: UTF8.self)
            }
            if pair.count == 2 {
                headers.append(Pair(pair[0], pair[1].split(separator: " ").joined(separator: " ")))
            }
        }
        return (headers, rest)
    }

    private static func value(_ name: String, _ headers: [Pair]) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }

    private static func request(_ headers: [Pair], _ content: ArraySlice<UInt8>) throws(Refusal) -> BatchPart {
        guard let end = content.firstIndex(of: 0x0A) else { throw .malformed("a part of the batch is not a request") }
        let words = String(decoding: content[..<end], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 3 else { throw .malformed("a part of the batch is not a request") }
        let (inner, body) = head(content[(end + 1)...])
        var part = BatchPart(method: String(words[0]), url: String(words[1]), headers: inner, body: Array(body))
        part.id = value("content-id", headers) ?? value("content-id", inner)
        return part
    }
}
