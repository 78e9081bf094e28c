extension Int {
    /// The number with what is counted: `1 page`, `2 pages`, `1 entity`, `0 entities`.
    func counted(_ one: String, _ many: String? = nil) -> String { "\(self) \(self == 1 ? one : many ?? one + "s")" }
}
