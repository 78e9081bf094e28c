public import JSONText

/// What a `MockService` does wrong, on purpose. F01 to F23 are failures that a sync engine is tested with; F24 and F25,
/// odd texts and sizes, need no fault.
public enum MockFault: Sendable, Equatable {
    /// The body of an answer whose status says that something failed.
    public enum ErrorBody: Sendable, Hashable {
        /// The service's array of errors, with this code.
        case code(String)
        /// A page, as proxies send it.
        case html
        /// Nothing.
        case empty
    }

    /// How a body is broken.
    public enum Breakage: String, Sendable, Hashable, CaseIterable {
        /// A text that is not JSON.
        case notJSON
        /// The first half.
        case cutJSON
        /// An array in place of an object, an object in place of an array.
        case otherShape
        /// A page in place of JSON, with status 200.
        case html
        /// The whole length is announced, half of it comes, and the connection is closed.
        case shortBody
    }

    /// How the rows of an answer are changed.
    public enum Rows: String, Sendable, Hashable, CaseIterable {
        /// The last one is missing.
        case oneShort
        /// The last one comes twice.
        case oneMore
        /// They come in the opposite order.
        case reversed
        /// The first one is null.
        case nullAmong
    }

    /// Answers with a status instead of doing what was asked, or after it was done. F01 to F06, F11.
    case status(Int, ErrorBody, afterApplying: Bool)
    /// All cursors expire: further pages are refused with `INVALID_QUERY_LOCATOR`. F03.
    case expiredCursors
    /// The answer is broken. F07.
    case broken(Breakage)
    /// The connection is dropped before the request is applied. F08.
    case dropBefore
    /// The connection is dropped after the request was applied. F09.
    case dropAfter
    /// The answer does not come before the client gives up. F10.
    case timeOut(afterApplying: Bool)
    /// The answer comes late by this number of milliseconds. F10, F21.
    case delay(Int)
    /// The answer says this for `totalSize`, or nothing. F12.
    case totalSize(JSONValue?)
    /// A record is changed by another user, before the request is applied or after it; null fields delete it. F14.
    case change(type: String, id: String, fields: JSONObject?, after: Bool)
    /// The clock moves by this number of milliseconds before the request is applied, also backwards. F13, F20.
    case clock(by: Int64)
    /// Records of the call are refused, each by itself. F15, F17, F18.
    case refuse(RecordRefusal)
    /// Rows of the answer are missing, doubled, or in another order. F16.
    case rows(Rows)
    /// What was created is answered without its id. F19.
    case withoutId
    /// A field of one record in the answer is changed, or missing. Positions below 0 count from the end. F13, F20.
    case spoil(record: Int, field: String, value: JSONValue?)
    /// The function that `MockService.onSignal` was given is called, before the request is applied or after it: to stop
    /// or kill the client, or to break its store, at exactly this request. F21 to F23.
    case signal(String, after: Bool)
}
