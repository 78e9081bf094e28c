/// A text that is not CSV: what is wrong, in which record and at which byte.
package struct CSVError: Error, Hashable, Sendable {
    package let message: String
    /// Counts from 1; the header is a record.
    package let record: Int
    package let offset: Int
}
