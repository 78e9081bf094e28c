package import Soups

/// The version of the files' columns, `major.minor.patch`. A column added raises minor, a changed meaning major;
/// readers take their own major only.
package enum SchemaVersion {
    package static let current = "1.4.0"

    /// - Throws: `unsupported` if the file is of another major version.
    package static func check(_ version: String) throws(Fault) {
        guard version.utf8.split(separator: UInt8(ascii: ".")).first.map({ String(decoding: $0, as: UTF8.self) }) == "1"
        else {
            throw Fault(.unsupported, "the report has schema \(version), but this program reads \(current)")
        }
    }
}
