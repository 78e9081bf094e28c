import JSONText
import Soups

/// Gets layouts of object types, and keeps them in the soup `sfdcLayouts` of the store of a sync manager.
///
/// ```swift
/// let layouts = LayoutManager(manager)
/// let editing = LayoutQuestion("Account", formFactor: "Medium", layoutType: "Compact", mode: "Edit")
/// let sections = try await layouts.fetch(editing, mode: .serverFirst).model?.sections
/// ```
public struct LayoutManager: Sendable {
    /// The name of the soup.
    public static let soupName = "sfdcLayouts"

    private let soup: ModelSoup

    /// Creates a manager that asks through a sync manager. Nothing is read or written yet.
    public init(_ manager: SyncManager) { soup = ModelSoup(manager: manager, soup: Self.soupName) }

    /// Finds a layout. What the service answers is stored.
    ///
    /// - Throws: as `MetadataManager.fetch`.
    public func fetch(
        _ question: LayoutQuestion, mode: ModelMode = .cacheFirst
    ) async throws -> FetchedModel<ObjectLayout> {
        let target = question.target
        let key = try LayoutTarget(DefinitionReader(target)).recordId
        var keys = [key]
        if question.recordTypeId == nil {
            // As other implementations have stored it.
            keys += [key + "null", key + "(null)"]
        }
        return try await soup.fetch(keys, target: target, mode: mode) { row throws(Fault) in
            try ObjectLayout(rawData: row)
        }
    }

    /// Removes all layouts from the soup.
    ///
    /// - Throws: faults of the store.
    public func clear() async throws { try await soup.clear() }
}

/// Says which layout is meant.
public struct LayoutQuestion: Sendable, Hashable {
    /// The name of the object type.
    public var objectType: String
    /// The size of the screen, such as `Medium`.
    public var formFactor: String?
    /// The kind of layout, `Full` or `Compact`; nil for `Full`.
    public var layoutType: String?
    /// What the layout is for: `Create`, `Edit` or `View`.
    public var mode: String?
    /// The id of the type of records; nil for the usual one.
    public var recordTypeId: String?

    /// Creates a question.
    public init(
        _ objectType: String, formFactor: String? = nil, layoutType: String? = nil, mode: String? = nil,
        recordTypeId: String? = nil
    ) {
        self.objectType = objectType
        self.formFactor = formFactor
        self.layoutType = layoutType
        self.mode = mode
        self.recordTypeId = recordTypeId
    }

    var target: JSONObject {
        var json: JSONObject = ["type": "layout", "sobjectType": .string(objectType)]
        json["formFactor"] = formFactor.map(JSONValue.string)
        json["layoutType"] = layoutType.map(JSONValue.string)
        json["mode"] = mode.map(JSONValue.string)
        json["recordTypeId"] = recordTypeId.map(JSONValue.string)
        return json
    }
}
