/// The names of the calls of the contract. A file with any other call is invalid.
public enum CallName {
    /// The calls of store and query.
    public static let store: [String] = CallSignature.storeFamilies.flatMap { $0 }.map(\.name)

    /// The OData calls.
    public static let odata: [String] = CallSignature.odata.map(\.name)

    /// The calls about SOQL and SOSL texts.
    public static let soql: [String] = CallSignature.soql.map(\.name)

    /// The calls about local changes and the record cache.
    public static let sync: [String] = (CallSignature.sync + CallSignature.cache).map(\.name)

    /// The calls about key-value stores.
    public static let keyValues: [String] = CallSignature.keyValues.map(\.name)
    /// The calls about what an app needs besides storage.
    public static let apps: [String] = CallSignature.observation.map(\.name)

    /// The calls that look after a store.
    public static let maintenance: [String] = CallSignature.maintenance.map(\.name)

    /// The calls of the offline OData client.
    public static let offline: [String] = CallSignature.offline.map(\.name)

    static func isOData(_ name: String) -> Bool { name.utf8.starts(with: "odata.".utf8) }
}
