import JSONText
import MockFiles
public import Soups

/// Reads the files of `soup mock`: data and rules.
///
/// Data is an object, all members optional:
///
/// - `clock`: `{"now": "2026-01-01T00:00:00Z", "step": 1000}`; `step` is what each request adds, in milliseconds.
/// - `options`: `sendsDate`, `keepsReferring`, `refusesMixedConditions`, `answersUpsertsWithoutBody` (booleans),
///   `pageSize`, `childPageSize`, `liveCursors` (numbers), as in `MockOptions`.
/// - `objects`: further types by name, or others in place of the standard ones: `{"prefix": "a00", "nameFields":
///   ["Title"], "fields": [{"name": "Title", "label", "kind", "length", "required", "unique", "externalId", "target",
///   "plural"}]}`.
/// - `records`: arrays of records by type, in the order in which they are created. `Id` and `LastModifiedDate` are
///   optional.
///
/// Rules are an array of objects: `fault` and what it needs, and which requests it strikes (`call`, `method`, `path`,
/// `object`, `record`, `nth`, `times`: a number or `"always"`).
public enum MockFile {
    /// Creates a service of a data file. Throws `invalidJSON` for a text that is not JSON, and `invalidArguments` for a
    /// member that is unknown or of the wrong form, or a record that the service would refuse.
    ///
    /// - Parameters:
    ///   - bytes: The text of the file.
    ///   - clock: The clock of the service and of the records of the file, unless the file has one.
    public static func service(_ bytes: [UInt8], clock: MockClock = MockClock()) throws(Fault) -> MockService {
        let file = try FileObject(try value(bytes), "the data file")
        try file.refuseOthers(than: ["clock", "options", "objects", "records"])
        var objects = MockObject.standard
        for (name, value) in try file.object("objects").members {
            let object = try mockObject(name, value)
            objects.removeAll { ASCIICase.lower($0.name) == ASCIICase.lower(name) }
            objects.append(object)
        }
        let service = MockService(
            objects: objects, options: try options(file.object("options")),
            clock: file["clock"] == nil ? clock : try Self.clock(file.object("clock")))
        for (type, value) in try file.object("records").members {
            guard let records = value.array else {
                throw FileObject.wrong("records.\(type)", "an array of objects")
            }
            for (index, record) in records.enumerated() {
                try service.seed(type, record, at: "records.\(type)[\(index)]")
            }
        }
        return service
    }

    /// Reads a file of rules. Throws as `service` does.
    public static func rules(_ bytes: [UInt8]) throws(Fault) -> [FaultRule] {
        guard let elements = try value(bytes).array else {
            throw FileObject.wrong("the file of rules", "an array of objects")
        }
        var rules: [FaultRule] = []
        for (index, element) in elements.enumerated() {
            rules.append(try RuleReader(try FileObject(element, "rule \(index + 1)")).rule())
        }
        return rules
    }

    private static func value(_ bytes: [UInt8]) throws(Fault) -> JSONValue {
        do {
            return try JSONValue(parsing: bytes, options: JSONOptions(refusesDuplicateNames: true))
        } catch {
            throw Fault(.invalidJSON, error.message, offset: error.offset)
        }
    }

    private static func clock(_ file: FileObject) throws(Fault) -> MockClock {
        try file.refuseOthers(than: ["now", "step"])
        var clock = MockClock()
        if let text = try file.text("now") {
            guard let now = MockDate.milliseconds(text) else {
                throw FileObject.wrong(file.path("now"), "a date such as 2026-01-01T00:00:00Z")
            }
            clock.now = now
        }
        clock.step = Int64(try file.number("step") ?? 0)
        return clock
    }

    private static func options(_ file: FileObject) throws(Fault) -> MockOptions {
        try file.refuseOthers(than: [
            "sendsDate", "keepsReferring", "refusesMixedConditions", "answersUpsertsWithoutBody", "pageSize",
            "childPageSize", "liveCursors",
        ])
        var options = MockOptions()
        options.sendsDate = try file.bool("sendsDate") ?? options.sendsDate
        options.keepsReferring = try file.bool("keepsReferring") ?? options.keepsReferring
        options.refusesMixedConditions = try file.bool("refusesMixedConditions") ?? options.refusesMixedConditions
        options.answersUpsertsWithoutBody = try file.bool("answersUpsertsWithoutBody") ?? false
        options.pageSize = try file.number("pageSize") ?? options.pageSize
        options.childPageSize = try file.number("childPageSize") ?? options.childPageSize
        options.liveCursors = try file.number("liveCursors") ?? options.liveCursors
        return options
    }

    private static func mockObject(_ name: String, _ value: JSONValue) throws(Fault) -> MockObject {
        let file = try FileObject(value, "objects.\(name)")
        try file.refuseOthers(than: ["prefix", "nameFields", "fields"])
        var fields: [MockField] = []
        for (index, element) in try file.array("fields").enumerated() {
            let field = try FileObject(element, file.path("fields[\(index)]"))
            try field.refuseOthers(than: [
                "name", "label", "kind", "length", "required", "unique", "externalId", "target", "plural",
            ])
            fields.append(
                MockField(
                    try field.required("name"), label: try field.text("label"),
                    kind: try field.word("kind", MockField.Kind.self) ?? .text, length: try field.number("length"),
                    isRequired: try field.bool("required") ?? false, isUnique: try field.bool("unique") ?? false,
                    isExternalId: try field.bool("externalId") ?? false, target: try field.text("target"),
                    plural: try field.text("plural")))
        }
        let prefix = try file.required("prefix")
        guard prefix.utf8.count == 3 else {
            throw FileObject.wrong(file.path("prefix"), "a text of three characters")
        }
        let nameFields = try file.array("nameFields").compactMap(\.string)
        return MockObject(name, prefix: prefix, fields: fields, nameFields: nameFields.isEmpty ? ["Name"] : nameFields)
    }
}
