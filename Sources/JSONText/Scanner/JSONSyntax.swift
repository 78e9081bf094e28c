/// Checks JSON texts.
public enum JSONSyntax {
    /// Checks that a text is one JSON value within the limits of the options. O(n) in the number of its bytes.
    ///
    /// - Throws: an error with the offset of the byte that is wrong, or where a limit is exceeded.
    public static func check(_ text: UnsafeRawBufferPointer, options: JSONOptions = .default) throws(JSONError) {
        do throws(ScanFailure) {
            var checker = GrammarChecker(refusesDuplicateNames: options.refusesDuplicateNames)
            try checker.check(text, options)
        } catch {
            throw JSONError(error)
        }
    }
}
