import OData
import Soups

/// What the model declares for the entities of a set, looked up once for all of them.
struct DeclaredMembers: Sendable {
    /// The qualified name of the type.
    let type: String
    /// The properties that a whole entity has in its row, those of the root type first.
    let properties: [String]
    private let navigation: Set<ByteKey>

    init(of type: String, in model: EdmModel, _ set: MappedEntitySet) {
        self.type = type
        properties = model.properties(of: type).filter {
            $0.type.primitiveType != .stream && !set.isLocalOnly($0.name)
        }.map(\.name)
        navigation = Set(model.navigation(of: type).map { ByteKey($0.name) })
    }

    func hasNavigation(_ name: String) -> Bool { !navigation.isEmpty && navigation.contains(ByteKey(name)) }
}
