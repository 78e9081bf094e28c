/// Which records of a call are refused, and with which error.
public struct RecordRefusal: Sendable, Hashable {
    /// What is done with a record.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        case create, update, upsert, delete
    }

    /// The positions in the call; those below 0 count from the end. nil for every position.
    public var positions: [Int]?
    /// The ids, or values of the external id; nil for any.
    public var ids: [String]?
    /// The operation; nil for any.
    public var operation: Operation?
    /// The status of single and composite calls.
    public var status: Int
    /// The service's code.
    public var code: String
    /// The service's message.
    public var message: String

    /// Creates a refusal; without further arguments, of every record.
    public init(
        positions: [Int]? = nil, ids: [String]? = nil, operation: Operation? = nil, status: Int = 400,
        code: String = "FIELD_CUSTOM_VALIDATION_EXCEPTION", message: String = "refused by a rule"
    ) {
        self.positions = positions
        self.ids = ids
        self.operation = operation
        self.status = status
        self.code = code
        self.message = message
    }

    func applies(to index: Int, of count: Int, id: String?, _ operation: Operation?) -> Bool {
        if let positions, !positions.contains(index), !positions.contains(index - count) {
            return false
        }
        if let ids, !ids.contains(where: { $0 == id }) {
            return false
        }
        return self.operation == nil || self.operation == operation
    }
}

extension RecordRefusal.Operation {
    init?(_ call: MockCall) { self.init(rawValue: call.rawValue) }
}

extension MockState {
    /// Throws the error of the first rule that refuses a record.
    func refuse(
        _ context: MockContext, at index: Int, of count: Int, id: String?, _ operation: RecordRefusal.Operation?
    ) throws(MockError) {
        let refusal = context.refusals.first { $0.applies(to: index, of: count, id: id, operation) }
        if let refusal {
            throw MockError(refusal.status, refusal.code, refusal.message)
        }
    }
}
