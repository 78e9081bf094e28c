import JSONText
import Soups

/// What is known about an entity's object while its members are read.
struct ObjectReading {
    let node: JSONNode
    /// The type by the model and the control information; `nil` without a model, and for an entity of unknown type.
    let type: String?
    /// The base of the URLs in the object; `nil` if none is known.
    let base: BaseURL?
    /// Whether the context URL says that the entity was deleted.
    let isDeleted: Bool
    /// Whether control information says that the entity was removed.
    var isRemoved = false
    /// The control information about properties, once it has been collected.
    var infos = PropertyInfos()
    var isCollected = false
    /// The names of the properties that have a value, once they were asked for.
    var valueNames: Set<ByteKey>?

    init(node: JSONNode, type: String?, base: BaseURL?, isDeleted: Bool) {
        self.node = node
        self.type = type
        self.base = base
        self.isDeleted = isDeleted
    }
}
