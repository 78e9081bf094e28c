/// The JSON formats of OData.
enum JSONFormat: Sendable {
    /// Versions 1.0 to 3.0 with `__metadata`.
    case verbose
    /// Version 3.0 with `odata.metadata`.
    case light3
    /// Versions 4.0 and 4.01.
    case v4
}
