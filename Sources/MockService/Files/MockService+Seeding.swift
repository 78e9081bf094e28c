import JSONText
import MockFiles
import Soups

extension MockService {
    /// Creates a record of a data file. It may have an id, and a date of its last change.
    func seed(_ type: String, _ value: JSONValue, at path: String) throws(Fault) {
        let record = try FileObject(value, path)
        let id = try record.text("Id")
        var time = clock.now
        if let text = try record.text("LastModifiedDate") {
            guard let date = MockDate.milliseconds(text) else {
                throw FileObject.wrong(record.path("LastModifiedDate"), "a date such as 2026-01-01T00:00:00Z")
            }
            time = date
        }
        let fields = JSONObject(record.members.map { ($0, $1) })
        try locked { (state) throws(Fault) in
            do throws(MockError) {
                if let id, state.tables.table(ofId: id) != nil {
                    throw MockError(400, "DUPLICATE_VALUE", "")
                }
                _ = try state.tables.create(type, fields, at: time, id: id, leavingOut: ["id", "lastmodifieddate"])
            } catch {
                throw Fault(.invalidArguments, "\(path) cannot be created: \(Self.reason(error))")
            }
        }
    }

    /// The code of an error and what it is about. Values of the record are left out: some messages quote them.
    private static func reason(_ error: MockError) -> String {
        switch error.code {
        case "INVALID_FIELD", "REQUIRED_FIELD_MISSING": "\(error.code) (\(error.message))"
        default: error.fields.isEmpty ? error.code : "\(error.code) (\(error.fields.joined(separator: ", ")))"
        }
    }
}
