import JSONText
import MockFiles
public import Soups

/// Reads the files of `soup mock odata`: data and rules.
///
/// Data is an object, all members optional: `options` (`version`, `root`, `etags`, `pageSize`, `changeLimit`,
/// `requiresETag`, `takesKeys`, `refusesReferring`, as in `MockODataOptions`), `now` (a date such as
/// `2026-01-01T00:00:00Z`), and `entities`: arrays of entities by set, with all properties of their keys.
///
/// Rules are an array of objects: `fault` and what it needs, and which requests it strikes (`call`, `method`, `set`,
/// `path`, `part`, `nth`, `times`: a number or `"always"`).
public enum MockODataFile {
    /// Creates a service of a metadata document and a data file. Without a version it has that of the file.
    ///
    /// Throws `invalidXML`, `invalidJSON` for a text that is not JSON, and `invalidArguments` for a member that is
    /// unknown or of the wrong form.
    public static func service(
        metadata: [UInt8], data bytes: [UInt8], version: MockODataVersion? = nil
    ) throws(Fault) -> MockODataService {
        let file = try FileObject(try value(bytes), "the data file")
        try file.refuseOthers(than: ["options", "now", "entities"])
        var options = try options(file.object("options"))
        options.version = version ?? options.version
        let service = try MockODataService(metadata: metadata, options: options)
        if let text = try file.text("now") {
            guard let now = PlainDate.milliseconds(text) else {
                throw FileObject.wrong("now", "a date such as 2026-01-01T00:00:00Z")
            }
            service.now = now
        }
        for (set, value) in try file.object("entities").members {
            guard let entities = value.array else {
                throw FileObject.wrong("entities.\(set)", "an array of objects")
            }
            for (index, entity) in entities.enumerated() {
                guard let entity = entity.object else {
                    throw FileObject.wrong("entities.\(set)[\(index)]", "an object")
                }
                try service.add(entity, to: set)
            }
        }
        return service
    }

    /// Reads a file of rules. Throws as `service` does.
    public static func rules(_ bytes: [UInt8]) throws(Fault) -> [ODataFaultRule] {
        guard let elements = try value(bytes).array else {
            throw FileObject.wrong("the file of rules", "an array of objects")
        }
        var rules: [ODataFaultRule] = []
        for (index, element) in elements.enumerated() {
            rules.append(try ODataRuleReader(try FileObject(element, "rule \(index + 1)")).rule())
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

    private static func options(_ file: FileObject) throws(Fault) -> MockODataOptions {
        try file.refuseOthers(than: [
            "version", "root", "etags", "pageSize", "changeLimit", "requiresETag", "takesKeys", "refusesReferring",
        ])
        var options = MockODataOptions()
        options.version = try file.word("version", MockODataVersion.self) ?? options.version
        options.root = try file.text("root") ?? options.root
        options.etags = try file.word("etags", MockODataOptions.ETags.self) ?? options.etags
        options.pageSize = try file.number("pageSize") ?? options.pageSize
        options.changeLimit = try file.number("changeLimit") ?? options.changeLimit
        options.requiresETag = try file.bool("requiresETag") ?? false
        options.takesKeys = try file.bool("takesKeys") ?? false
        options.refusesReferring = try file.bool("refusesReferring") ?? false
        return options
    }
}

extension MockODataService {
    /// Adds an entity that has all properties of its key.
    ///
    /// Throws `invalidArguments` for a set that the service does not have, and an entity without its key.
    public func add(_ entity: JSONObject, to set: String) throws(Fault) {
        try locked { (state) throws(Fault) in
            guard let key = state.data.key(of: entity, in: set), !key.isEmpty else {
                throw Fault(
                    .invalidArguments, "an entity of \(set) lacks a property of its key, or there is no such set")
            }
            var values = JSONObject()
            for property in state.model.type(of: set).properties {
                values[property.name] = entity[property.name] ?? .null
            }
            var new = MockEntity(key: key, values: values)
            new.version = (state.data.entity(set, key)?.version ?? 0) + 1
            state.data.save(new, in: set)
        }
    }
}
