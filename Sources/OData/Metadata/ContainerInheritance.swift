import Soups

/// Finds names that an entity container repeats of the containers that it extends.
///
/// O(n) in the number of names. Only a container with a name that another one has too is compared with those that it
/// extends, up to 64 of them.
struct ContainerInheritance {
    private let containers: ContainerNames
    /// The names that more than one container has.
    private let shared: Set<ByteKey>
    private var known: [ByteKey: Names] = [:]

    fileprivate struct Names {
        var resources: Set<ByteKey>
        var imports: Set<ByteKey>
    }

    init(_ containers: ContainerNames) {
        self.containers = containers
        var seen: Set<ByteKey> = []
        var shared: Set<ByteKey> = []
        for container in containers.all {
            // Imports of one container may have the same name.
            for name in Set((Self.resources(of: container) + container.imports.map(\.name)).map { ByteKey($0) })
            where !seen.insert(name).inserted {
                shared.insert(name)
            }
        }
        self.shared = shared
    }

    /// The first name of a container that one of its base containers has too; nil if no name is repeated. Imports may
    /// be overloads of each other.
    mutating func repeatedName(in container: EdmContainer) -> String? {
        let resources = Self.resources(of: container).filter { shared.contains(ByteKey($0)) }
        let imports = container.imports.map(\.name).filter { shared.contains(ByteKey($0)) }
        guard !resources.isEmpty || !imports.isEmpty else { return nil }
        var base = container.extends
        for _ in 0..<StructuredTypes.maximumInheritance {
            guard let name = base, let (key, found) = containers.find(name) else { return nil }
            let names = names(of: found, key)
            if let name = resources.first(where: { names.has($0) }) {
                return name
            }
            if let name = imports.first(where: { names.resources.contains(ByteKey($0)) }) {
                return name
            }
            base = found.extends
        }
        return nil
    }

    private static func resources(of container: EdmContainer) -> [String] {
        container.entitySets.map(\.name) + container.singletons.map(\.name)
    }

    private mutating func names(of container: EdmContainer, _ key: ByteKey) -> Names {
        if let names = known[key] {
            return names
        }
        let names = Names(
            resources: Set(Self.resources(of: container).map { ByteKey($0) }),
            imports: Set(container.imports.map { ByteKey($0.name) }))
        known[key] = names
        return names
    }
}

extension ContainerInheritance.Names {
    fileprivate func has(_ name: String) -> Bool {
        resources.contains(ByteKey(name)) || imports.contains(ByteKey(name))
    }
}
