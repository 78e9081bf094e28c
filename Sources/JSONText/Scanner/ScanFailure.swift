/// The kind and offset of an error, small enough for the registers of a hot path. The public API converts it to a
/// `JSONError`.
struct ScanFailure: Error {
    enum Reason: UInt8 {
        case truncated, emptyText
        case unexpectedByte, expectedValue, expectedName, expectedColon, expectedCommaOrEnd, trailingBytes,
            byteOrderMark
        case invalidNumber, invalidLiteral
        case invalidEscape, controlCharacter, invalidUTF8, loneSurrogate
        case tooDeep, tooLong, duplicateName
        case expectedObject, expectedArray
    }

    let reason: Reason
    let offset: Int

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension JSONError {
    init(_ failure: ScanFailure) {
        self.init(Self.code(failure.reason), at: failure.offset, Self.message(failure.reason))
    }

    private static func code(_ reason: ScanFailure.Reason) -> Code {
        switch reason {
        case .truncated, .emptyText: .truncated
        case .invalidUTF8, .loneSurrogate: .invalidText
        case .tooDeep, .tooLong: .limitExceeded
        case .duplicateName: .duplicateName
        default: .syntax
        }
    }

    private static func message(_ reason: ScanFailure.Reason) -> String {
        switch reason {
        case .truncated: "unexpected end of text"
        case .emptyText: "the text is empty"
        case .unexpectedByte: "unexpected byte"
        case .expectedValue: "expected a value"
        case .expectedName: "expected a member name in quotes"
        case .expectedColon: "expected ':' after the member name"
        case .expectedCommaOrEnd: "expected ',' or the end of the object or array"
        case .trailingBytes: "unexpected content after the end of the value"
        case .byteOrderMark: "a byte order mark is not allowed in JSON"
        case .invalidNumber: "malformed number"
        case .invalidLiteral: "malformed literal; expected true, false or null"
        case .invalidEscape: "invalid escape in a string"
        case .controlCharacter: "a control character in a string must be escaped"
        case .invalidUTF8: "invalid UTF-8"
        case .loneSurrogate: "lone surrogate in a string"
        case .tooDeep: "objects and arrays are nested too deeply; raise JSONOptions.maximumDepth"
        case .tooLong: "the text is too long; raise JSONOptions.maximumLength"
        case .duplicateName: "duplicate member name"
        case .expectedObject: "expected an object"
        case .expectedArray: "expected an array"
        }
    }
}
