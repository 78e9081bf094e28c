import Soups

/// Finds entity containers by the names with which other ones extend them.
struct ContainerNames {
    /// The containers by their names with a namespace.
    private var qualified: [ByteKey: EdmContainer] = [:]
    /// The names with a namespace by those without: up to version 3 a container is extended by the latter. The first of
    /// several counts.
    private var short: [ByteKey: ByteKey] = [:]

    init(_ schemas: [EdmSchema]) {
        for schema in schemas {
            for container in schema.containers {
                let name = Self.key(container, in: schema.namespace)
                qualified[name] = qualified[name] ?? container
                short[ByteKey(container.name)] = short[ByteKey(container.name)] ?? name
            }
        }
    }

    var all: [EdmContainer] { Array(qualified.values) }

    /// The name of a container with its namespace.
    static func key(_ container: EdmContainer, in namespace: String) -> ByteKey {
        ByteKey(namespace + "." + container.name)
    }

    /// The container with a name, and its qualified name; nil if the document does not have it.
    func find(_ name: String) -> (key: ByteKey, container: EdmContainer)? {
        let isQualified = name.utf8.contains(UInt8(ascii: "."))
        guard let key = isQualified ? ByteKey(name) : short[ByteKey(name)], let container = qualified[key] else {
            return nil
        }
        return (key, container)
    }
}
