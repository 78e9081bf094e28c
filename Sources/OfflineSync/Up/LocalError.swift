import JSONText

/// An error that this engine writes into a row, in the form of those of the service.
struct LocalError {
    let code: String
    let message: String

    init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }

    /// As it is kept in `__last_error__`.
    var json: JSONObject { ["errorCode": .string(code), "message": .string(message)] }

    static let noOperation = LocalError(
        "NO_OPERATION", "the row is marked as changed, but not as created, updated or deleted")
    static let stepInPath = LocalError(
        "NO_OPERATION", "a path would take the id, the key or the type of the record for a step: it is . or ..")
    static let severalIds = LocalError(
        "NO_OPERATION", "the list of deletions of a collection would have the id as several, because it has a comma")
    static let inDoubt = LocalError(
        "IN_DOUBT", "the service may have created the record; resolve the doubt before it is sent again")
    static let noAnswer = LocalError("NO_ANSWER_FOR_RECORD", "the service did not say what became of the record")
    static let rejectedTwice = LocalError("REJECTED_TWICE", "the record is gone, and could not be created again")

    static func checkFailed(_ status: Int) -> LocalError {
        LocalError("CHECK_FAILED", "the question for the date of the record was answered with status \(status)")
    }
}
