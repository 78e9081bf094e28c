import Soups

/// Gets descriptions of object types, and keeps them in the soup `sfdcMetadata` of the store of a sync manager.
///
/// ```swift
/// let metadata = MetadataManager(manager)
/// let account = try await metadata.fetch("Account", mode: .cacheFirst).model
/// ```
public struct MetadataManager: Sendable {
    /// The name of the soup.
    public static let soupName = "sfdcMetadata"

    private let soup: ModelSoup

    /// Creates a manager that asks through a sync manager. Nothing is read or written yet.
    public init(_ manager: SyncManager) { soup = ModelSoup(manager: manager, soup: Self.soupName) }

    /// Finds the description of a type. What the service answers is stored.
    ///
    /// - Throws: `invalidSync` for a name that no type can have; what the service failed with, if the soup has nothing;
    ///   `syncManagerStopped`.
    public func fetch(_ objectType: String, mode: ModelMode = .cacheFirst) async throws -> FetchedModel<ObjectMetadata>
    {
        try await soup.fetch(
            [objectType], target: ["type": "metadata", "sobjectType": .string(objectType)], mode: mode
        ) { row throws(Fault) in try ObjectMetadata(rawData: row) }
    }

    /// Removes all descriptions from the soup.
    ///
    /// - Throws: faults of the store.
    public func clear() async throws { try await soup.clear() }
}
