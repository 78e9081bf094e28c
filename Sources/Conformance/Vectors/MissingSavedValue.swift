/// Says that a result which was kept has nothing at the path asked for.
struct MissingSavedValue: Error {
    let path: String
}
