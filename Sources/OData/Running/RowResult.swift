import JSONText
import Soups

/// What is asked of rows and their members. All of it is about one kind of data, so that it is compiled for that.
extension ResultNode where Data == RowNode {
    /// Whether the member of a name is an array or an object.
    package func hasPart(_ name: String) -> Bool {
        switch member(name) {
        case .data(let data)?: data.isPart
        case .list?, .object?, .value(.collection)?, .value(.complex)?: true
        case .value?, nil: false
        }
    }

    /// The row with a member that was found elsewhere.
    package func adding(_ name: String, _ value: RowResult) -> RowResult {
        var extended = self
        extended.append(name, value)
        return extended
    }

    /// Whether the row was deleted locally.
    package var isDeletedLocally: Bool {
        if case .boolean(true)? = member("__locally_deleted__")?.content {
            true
        } else {
            false
        }
    }

    /// Whether a row with this text may have been deleted locally. Most rows need not be read to say no.
    package static func mayBeDeletedLocally(_ text: UnsafeRawBufferPointer) -> Bool {
        UnescapedSearch.mayContain("__locally_deleted__", in: text)
    }
}
