import StepCounting

/// A string or member name as written in a text. It can be compared without decoding it.
public struct JSONStringText: BitwiseCopyable {
    @usableFromInline let source: UnsafePointer<UInt8>
    @usableFromInline let token: StringToken

    @inlinable init(source: UnsafePointer<UInt8>, token: StringToken) {
        self.source = source
        self.token = token
    }

    /// The offset of the text after the opening quote.
    public var offset: Int { token.start }

    /// Whether the string has escapes, so that its bytes differ from its text.
    @inlinable public var isEscaped: Bool { token.isEscaped }

    /// The bytes between the quotes.
    @inlinable public var writtenBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: source + token.start, count: token.end - token.start)
    }

    /// The decoded text.
    public var string: String { StringDecoding.string(source, token) }

    /// Appends the decoded text in UTF-8.
    public func append(to output: inout [UInt8]) {
        if token.isEscaped {
            StringDecoding.append(source, from: token.start, to: token.end, into: &output)
        } else {
            output.append(contentsOf: writtenBytes)
        }
    }

    /// Whether the decoded text has these bytes.
    @inline(__always) public static func == (text: JSONStringText, bytes: StaticString) -> Bool {
        text.hasBytes(UnsafeRawBufferPointer(start: bytes.utf8Start, count: bytes.utf8CodeUnitCount))
    }

    /// Says whether the decoded text has these bytes.
    public func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        StepCounter.add()
        if token.isEscaped {
            return isEscapedText(bytes, wholly: true)
        }
        return token.end - token.start == bytes.count && hasPrefix(bytes)
    }

    /// Says whether the decoded text begins with these bytes.
    public func hasPrefix(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if token.isEscaped {
            return isEscapedText(bytes, wholly: false)
        }
        guard token.end - token.start >= bytes.count else { return false }
        for index in 0..<bytes.count where source[token.start + index] != bytes[index] {
            return false
        }
        return true
    }

    /// Says whether the decoded text begins with these bytes.
    public func hasPrefix(_ bytes: StaticString) -> Bool {
        hasPrefix(UnsafeRawBufferPointer(start: bytes.utf8Start, count: bytes.utf8CodeUnitCount))
    }

    private func isEscapedText(_ bytes: UnsafeRawBufferPointer, wholly: Bool) -> Bool {
        var decoded = DecodedBytes(source, token)
        for byte in bytes where decoded.next() != byte {
            return false
        }
        return !wholly || decoded.next() == nil
    }
}
