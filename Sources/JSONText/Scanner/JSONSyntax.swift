/// Checks JSON texts without keeping anything of them.
public enum JSONSyntax {
    /// Makes sure that a text is one JSON value within the limits of the options. Linear in its bytes.
    public static func check(_ text: UnsafeRawBufferPointer, options: JSONOptions = .default) throws(JSONError) {
        do throws(ScanFailure) {
            var checker = GrammarChecker(refusesDuplicateNames: options.refusesDuplicateNames)
            try checker.check(text, options)
        } catch {
            throw JSONError(error)
        }
    }
}
