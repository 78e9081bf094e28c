/// The metadata as far as the mock service needs them.
struct MockModel: Sendable {
    var sets: [MockEntitySet] = []
    var types: [String: MockEntityType] = [:]
    var namespace = ""

    func set(_ name: String) -> MockEntitySet? { sets.first { $0.name == name } }

    func type(of set: String) -> MockEntityType {
        self.set(set).flatMap { types[$0.type] } ?? MockEntityType(name: set)
    }

    /// The set that a navigation property of a set leads to.
    func target(of navigation: MockNavigation, in set: String) -> String? {
        self.set(set)?.bindings[navigation.name] ?? sets.first { $0.type == navigation.type }?.name
    }
}
