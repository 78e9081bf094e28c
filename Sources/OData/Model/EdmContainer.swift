/// An entity container: what can be addressed at the root of a service.
public struct EdmContainer: Sendable, Hashable {
    /// The name without its namespace.
    public var name: String
    /// Whether this is the default container (`m:IsDefaultEntityContainer`, up to version 3.0).
    public var isDefault: Bool
    /// The qualified name of the container that this one extends.
    public var extends: String?
    /// The entity sets of the container itself, without those of the container it extends.
    public var entitySets: [EntitySet]
    /// The singletons of the container itself, since version 4.0.
    public var singletons: [Singleton]
    /// The function and action imports of the container itself.
    public var imports: [OperationImport]

    /// An entity set.
    public struct EntitySet: Sendable, Hashable {
        /// The name by which the set is addressed.
        public var name: String
        /// The qualified name of the type of its entities.
        public var entityType: String
        /// The entity sets that the navigation properties of its entities lead to.
        public var bindings: [Binding]
        /// Whether the service document lists the set.
        public var isInServiceDocument: Bool

        /// Creates an entity set of a type.
        public init(_ name: String, entityType: String, bindings: [Binding] = [], isInServiceDocument: Bool = true) {
            self.name = name
            self.entityType = entityType
            self.bindings = bindings
            self.isInServiceDocument = isInServiceDocument
        }
    }

    /// A single entity that is addressed by its name.
    public struct Singleton: Sendable, Hashable {
        /// The name by which the entity is addressed.
        public var name: String
        /// The qualified name of its type.
        public var type: String
        /// The entity sets that its navigation properties lead to.
        public var bindings: [Binding]

        /// Creates a singleton of a type.
        public init(_ name: String, type: String, bindings: [Binding] = []) {
            self.name = name
            self.type = type
            self.bindings = bindings
        }
    }

    /// The entity set that a navigation property leads to.
    public struct Binding: Sendable, Hashable {
        /// The path of the navigation property.
        public var path: String
        /// The name or path of the entity set.
        public var target: String

        /// Binds a navigation property to an entity set.
        public init(path: String, target: String) {
            self.path = path
            self.target = target
        }
    }

    /// A function import or action import. Up to version 3.0 it has parameters of its own.
    public struct OperationImport: Sendable, Hashable {
        /// Whether a function or an action is imported.
        public var kind: EdmOperation.Kind
        /// The name by which the operation is called.
        public var name: String
        /// The qualified name of the operation, from version 4.0 on.
        public var operation: String?
        /// The name of the entity set that the returned entities belong to.
        public var entitySet: String?
        /// `GET` or `POST` up to version 3.0.
        public var method: String?
        /// The parameters up to version 3.0; since 4.0 those of the operation apply.
        public var parameters: [EdmOperation.Parameter]
        /// The type of the result up to version 3.0; nil for no result.
        public var returnType: EdmTypeReference?

        /// Creates an import.
        public init(
            kind: EdmOperation.Kind, name: String, operation: String? = nil, entitySet: String? = nil,
            method: String? = nil,
            parameters: [EdmOperation.Parameter] = [], returnType: EdmTypeReference? = nil
        ) {
            self.kind = kind
            self.name = name
            self.operation = operation
            self.entitySet = entitySet
            self.method = method
            self.parameters = parameters
            self.returnType = returnType
        }
    }

    /// Creates a container.
    public init(
        name: String, isDefault: Bool = false, extends: String? = nil, entitySets: [EntitySet] = [],
        singletons: [Singleton] = [],
        imports: [OperationImport] = []
    ) {
        self.name = name
        self.isDefault = isDefault
        self.extends = extends
        self.entitySets = entitySets
        self.singletons = singletons
        self.imports = imports
    }
}
