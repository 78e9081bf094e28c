import Soups

/// Encodes texts for the path and the query of a request.
public enum PercentEncoding {
    /// Keeps ASCII letters, digits, `-`, `.`, `_` and `~`. Every other byte of the UTF-8 becomes `%` and two upper-case
    /// digits, so a blank is `%20`, a plus `%2B` and a slash `%2F`.
    ///
    /// A segment of a path must not be `.` or `..`, which cannot be encoded and which services and proxies take for
    /// steps.
    public static func encoded(_ text: String) -> String {
        text.percentEncoded { $0.isUnreserved }
    }
}
