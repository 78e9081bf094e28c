/// Says in two words what a scanner stumbled over: small enough for the registers of a hot path. It becomes a
/// `JSONError` at the border.
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
        case .truncated: "the text ends inside a value"
        case .emptyText: "the text holds no value"
        case .unexpectedByte: "this byte cannot stand here"
        case .expectedValue: "a value is expected here"
        case .expectedName: "a member name in quotes is expected here"
        case .expectedColon: "a colon is expected after a member name"
        case .expectedCommaOrEnd: "a comma or the end of the object or array is expected here"
        case .trailingBytes: "something follows after the value"
        case .byteOrderMark: "a byte order mark is no part of JSON"
        case .invalidNumber: "this is not the form of a JSON number"
        case .invalidLiteral: "only true, false and null are words of JSON"
        case .invalidEscape: "there is no such escape"
        case .controlCharacter: "a control character in a string must be escaped"
        case .invalidUTF8: "these bytes are no UTF-8"
        case .loneSurrogate: "an escaped surrogate lacks its partner"
        case .tooDeep: "objects and arrays are nested too deeply"
        case .tooLong: "the text is longer than allowed"
        case .duplicateName: "the object has a member of this name already"
        case .expectedObject: "an object is expected here"
        case .expectedArray: "an array is expected here"
        }
    }
}
