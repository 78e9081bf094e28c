/// An entity container: what can be addressed at the root of a service.
public struct EdmContainer: Sendable, Hashable {
    public var name: String
    public var isDefault: Bool
    /// The qualified name of the container that this one extends.
    public var extends: String?
    public var entitySets: [EntitySet]
    public var singletons: [Singleton]
    public var imports: [OperationImport]

    /// An entity set.
    public struct EntitySet: Sendable, Hashable {
        public var name: String
        /// The qualified name of the type of its entities.
        public var entityType: String
        public var bindings: [Binding]
        public var isInServiceDocument: Bool

        public init(_ name: String, entityType: String, bindings: [Binding] = [], isInServiceDocument: Bool = true) {
            self.name = name
            self.entityType = entityType
            self.bindings = bindings
            self.isInServiceDocument = isInServiceDocument
        }
    }

    /// A single entity that is addressed by its name.
    public struct Singleton: Sendable, Hashable {
        public var name: String
        public var type: String
        public var bindings: [Binding]

        public init(_ name: String, type: String, bindings: [Binding] = []) {
            self.name = name
            self.type = type
            self.bindings = bindings
        }
    }

    /// The entity set that a navigation property leads to.
    public struct Binding: Sendable, Hashable {
        public var path: String
        public var target: String

        public init(path: String, target: String) {
            self.path = path
            self.target = target
        }
    }

    /// A function import or action import. Up to version 3.0 it has parameters of its own.
    public struct OperationImport: Sendable, Hashable {
        public var kind: EdmOperation.Kind
        public var name: String
        /// The qualified name of the operation, from version 4.0 on.
        public var operation: String?
        public var entitySet: String?
        /// `GET` or `POST` up to version 3.0.
        public var method: String?
        public var parameters: [EdmOperation.Parameter]
        public var returnType: EdmTypeReference?

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
