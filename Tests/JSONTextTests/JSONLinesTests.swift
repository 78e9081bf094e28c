import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct JSONLinesTests {
    /// A source of a text in chunks of a few bytes.
    private func source(_ text: String, chunk: Int) -> ByteSource {
        var rest = Array(text.utf8)[...]
        return ByteSource { buffer in
            let part = rest.prefix(min(chunk, buffer.count))
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
    }

    private func collect(_ lines: JSONLines) throws -> [String] {
        var found: [String] = []
        while try lines.advance() {
            found.append(
                "\(lines.lineNumber)@\(lines.lineOffset):" + lines.withLine { String(decoding: $0, as: UTF8.self) })
        }
        return found
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `reads a line at a time whatever the chunks`(chunk: Int) throws {
        let text = "{\"a\":1}\r\n\n  \t\r\n[2]\n \"ü\" \n3"
        #expect(
            try collect(JSONLines(source(text, chunk: chunk))) == [
                "1@0:{\"a\":1}", "4@15:[2]", "5@19: \"ü\" ", "6@26:3",
            ])
    }

    @Test(arguments: ["", "\n", "\r\n\n", "   "])
    func `empty sources have no lines`(text: String) throws {
        #expect(try collect(JSONLines(source(text, chunk: 2))) == [])
    }

    @Test func `a broken line is named and passed`() throws {
        let lines = JSONLines(ByteSource(Array("1\n{\"a\":}\n[\n2\n".utf8)))
        #expect(try lines.advance())
        let first = #expect(throws: JSONLineError.self) { try lines.advance() }
        #expect(first?.line == 2)
        #expect(first?.lineOffset == 2)
        #expect(first?.offset == 7)
        let second = #expect(throws: JSONLineError.self) { try lines.advance() }
        #expect(second?.error.code == .truncated)
        #expect(second?.line == 3)
        #expect(try lines.advance())
        #expect(lines.withLine { Array($0) } == [0x32])
        #expect(try !lines.advance())
    }

    @Test func `duplicate names are refused on request`() throws {
        let text = Array("{\"a\":1,\"a\":2}\n{\"a\":1}".utf8)
        #expect(try collect(JSONLines(ByteSource(text))).count == 2)
        let lines = JSONLines(ByteSource(text), options: JSONOptions(refusesDuplicateNames: true))
        #expect(throws: JSONLineError.self) { try lines.advance() }
        #expect(try lines.advance())
    }

    @Test func `unchecked lines are handed over as they are`() throws {
        #expect(try collect(JSONLines(ByteSource(Array("{x\n1".utf8)), checks: false)) == ["1@0:{x", "2@3:1"])
    }

    @Test func `a long line grows the buffer and a too long one is an error`() throws {
        let long = "\"" + String(repeating: "x", count: 700_000) + "\""
        let text = "1\n" + long + "\n2\n"
        #expect(try collect(JSONLines(source(text, chunk: 10_000))).map(\.utf8.count) == [5, 700_006, 10])
        let lines = JSONLines(source(text, chunk: 10_000), maximumLine: 300_000)
        #expect(try lines.advance())
        let error = #expect(throws: JSONLineError.self) { try lines.advance() }
        #expect(error?.error.code == .limitExceeded)
        #expect(error?.line == 2)
        #expect(try lines.advance())
        #expect(lines.withLine { Array($0) } == [0x32])
        #expect(lines.lineNumber == 3)
        #expect(lines.lineOffset == 700_005)
    }

    @Test func `a line that is too long is an error also if it arrives at once`() throws {
        let lines = JSONLines(ByteSource(Array("\"0123456789\"\n2\n".utf8)), maximumLine: 10)
        let error = #expect(throws: JSONLineError.self) { try lines.advance() }
        #expect(error?.error.code == .limitExceeded)
        #expect(try lines.advance())
        #expect(lines.withLine { Array($0) } == [0x32] && lines.lineNumber == 2)
    }

    @Test func `a source that gives more than it was asked for is a typed error`() {
        let source = ByteSource { $0.count + 1 }
        var bytes: [UInt8] = Array(repeating: 0, count: 16)
        bytes.withUnsafeMutableBytes { buffer in
            _ = #expect(throws: (any Error).self) { try source.read(into: buffer) }
        }
    }

    @Test func `a source that fails is a typed error`() {
        let lines = JSONLines(ByteSource { _ in -5 })
        let error = #expect(throws: JSONLineError.self) { try lines.advance() }
        #expect(error?.error.code == .inputOutput)
    }

    @Test func `reads a file`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lines.jsonl")
        let text = (0..<20_000).map { "{\"n\":\($0)}" }.joined(separator: "\n")
        try Data(text.utf8).write(to: URL(filePath: path))
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        let lines = JSONLines(ByteSource(fileDescriptor: fileno(file)))
        let projection = JSONProjection(paths: JSONPathSet(["n"]))
        var sum: Int64 = 0
        while try lines.advance() {
            try lines.withLine { line in
                try projection.read(line)
                if case .integer(let value) = projection.numeric(of: 0) {
                    sum += value
                }
            }
        }
        #expect(sum == 199_990_000)
        #expect(lines.lineNumber == 20_000)
    }
}
