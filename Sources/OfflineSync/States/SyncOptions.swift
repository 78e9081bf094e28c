public import JSONText
import Soups

/// The options of a sync, as they are stored with it.
public struct SyncOptions: Sendable, Hashable {
    /// What happens where both sides have changed.
    public var mergeMode: SyncMergeMode
    /// The fields that a sync up sends, where its target names no others; nil for no list.
    public var fieldlist: [String]?
    /// Members that this version does not know; they are kept.
    private var others = JSONObject()

    /// Creates options.
    public init(mergeMode: SyncMergeMode = .overwrite, fieldlist: [String]? = nil) {
        self.mergeMode = mergeMode
        self.fieldlist = fieldlist
    }

    /// Reads options. Without `mergeMode` they overwrite.
    ///
    /// - Throws: `invalidSync` for an unknown merge mode, or a list that has anything but texts.
    public init(json: JSONObject) throws(Fault) {
        let reader = DefinitionReader(json)
        self.init(
            mergeMode: try reader.choice("mergeMode", SyncMergeMode.self) ?? .overwrite,
            fieldlist: try reader.texts("fieldlist"))
        others = json
    }

    /// The options as they are stored.
    public var json: JSONObject {
        var json = others
        json["mergeMode"] = .string(mergeMode.rawValue)
        json["fieldlist"] = fieldlist.map { .array($0.map(JSONValue.string)) }
        return json
    }

    /// Refuses a list of fields with a name that no field can have. Only syncs up use the list.
    ///
    /// - Throws: `invalidSync`, which names the key.
    func checkFields(of type: SyncType) throws(Fault) {
        guard type == .up else { return }
        for name in fieldlist ?? [] {
            _ = try DefinitionReader.checked(name, "fieldlist")
        }
    }

    public static func == (a: SyncOptions, b: SyncOptions) -> Bool {
        JSONValue.object(a.json) == JSONValue.object(b.json)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(mergeMode) }
}
