/// Describes a function or an action; one value per overload.
public struct EdmOperation: Sendable, Hashable {
    /// Says whether an operation only reads (a function) or may change something.
    public enum Kind: Sendable, Hashable { case function, action }

    public var kind: Kind
    public var name: String
    /// The first parameter is what the operation is bound to.
    public var isBound: Bool
    public var isComposable: Bool
    public var parameters: [Parameter]
    public var returnType: EdmTypeReference?

    /// Describes one parameter.
    public struct Parameter: Sendable, Hashable {
        public var name: String
        public var type: EdmTypeReference

        public init(_ name: String, _ type: EdmTypeReference) {
            self.name = name
            self.type = type
        }
    }

    public init(
        kind: Kind, name: String, isBound: Bool = false, isComposable: Bool = false, parameters: [Parameter] = [],
        returnType: EdmTypeReference? = nil
    ) {
        self.kind = kind
        self.name = name
        self.isBound = isBound
        self.isComposable = isComposable
        self.parameters = parameters
        self.returnType = returnType
    }
}
