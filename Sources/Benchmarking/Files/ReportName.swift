import Soups

/// Checks names of folders among the reports: the name of a run or of a kind of machine becomes a part of a path, and
/// must not lead out of the folder.
enum ReportName {
    /// - Parameters:
    ///   - what: How the message calls the name.
    ///   - code: The code of the fault, which depends on the file that the name was read from.
    /// - Throws: `code` for a text with bytes other than A-Z, a-z, 0-9, `.`, `_` and `-`, for an empty text, and for
    ///   `.` and `..`.
    static func check(_ name: String, _ what: String, _ code: Fault.Code) throws(Fault) {
        guard !name.isEmpty, name.utf8.allSatisfy(isAllowed), !isDots(name) else {
            throw Fault(code, "\(what) cannot be the name of a folder; use letters A to Z, digits, and . _ -")
        }
    }

    /// The name with `-` in place of every byte that it must not have.
    static func made(of name: String) -> String {
        if name.isEmpty || isDots(name) {
            return String(repeating: "-", count: max(1, name.utf8.count))
        }
        return String(decoding: name.utf8.map { isAllowed($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
    }

    private static func isDots(_ name: String) -> Bool {
        name.utf8.count <= 2 && name.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
