/// A saved result has no value at the requested path.
struct MissingSavedValue: Error {
    let path: String
}
