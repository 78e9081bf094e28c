/// A function or an action; each overload is a separate value.
public struct EdmOperation: Sendable, Hashable {
    /// Whether an operation only reads (a function) or may also change data (an action).
    public enum Kind: Sendable, Hashable { case function, action }

    public var kind: Kind
    public var name: String
    /// Whether the operation is bound; its first parameter is then the binding parameter.
    public var isBound: Bool
    public var isComposable: Bool
    public var parameters: [Parameter]
    public var returnType: EdmTypeReference?

    /// One parameter.
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
