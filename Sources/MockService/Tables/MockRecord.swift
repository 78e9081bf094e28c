import JSONText

/// One record. Values are in the order of the type's fields; those of the service are computed.
struct MockRecord: Sendable {
    let id: String
    /// Counts the records of the type, so that an order without further keys is that of creation.
    let number: Int
    var values: [JSONValue]
    var created: Int64
    var modified: Int64

    func value(_ position: Int, of object: MockObject) -> JSONValue {
        switch position {
        case MockObject.idPosition: .string(id)
        case object.createdPosition: .string(MockDate.text(created))
        case object.modifiedPosition, object.stampPosition: .string(MockDate.text(modified))
        default: values[position]
        }
    }

    /// The moment in a field that holds a date; nil without one.
    func date(_ position: Int, of object: MockObject) -> Int64? {
        switch position {
        case object.createdPosition: created / 1_000 * 1_000
        case object.modifiedPosition, object.stampPosition: modified / 1_000 * 1_000
        default: values[position].string.flatMap(MockDate.milliseconds)
        }
    }

    /// All fields, for a caller that names none.
    func json(of object: MockObject) -> JSONObject {
        JSONObject(object.fields.indices.map { (object.fields[$0].name, value($0, of: object)) })
    }
}
