public import JSONText

/// The records of one type on a service, one at a time. `ServiceRemote` is one over a `Transport`; an app may supply
/// another.
///
/// What a call throws is thrown to the caller of `CachedRemote`, and the cache stays as it was.
public protocol Remote: Sendable {
    /// Reads a record; nil if the service has none with this id. Without a list of fields, all fields.
    func read(_ id: String, fields: [String]?) async throws -> JSONObject?
    /// Creates a record of these fields and returns its id.
    func create(_ fields: JSONObject) async throws -> String
    /// Updates a record with these fields.
    func update(_ id: String, with fields: JSONObject) async throws
    /// Deletes a record. Returns whether there was one.
    @discardableResult
    func delete(_ id: String) async throws -> Bool
}
