/// A function or an action; each overload is a separate value.
public struct EdmOperation: Sendable, Hashable {
    /// Whether an operation only reads (a function) or may also change data (an action).
    public enum Kind: Sendable, Hashable {
        /// Returns a value and has no side effects.
        case function
        /// May change data.
        case action
    }

    /// Whether this is a function or an action.
    public var kind: Kind
    /// The name without its namespace; overloads share it.
    public var name: String
    /// Whether the operation is bound; its first parameter is then the binding parameter.
    public var isBound: Bool
    /// Whether further path segments may follow a call of the function.
    public var isComposable: Bool
    /// The parameters in order, beginning with the binding parameter of a bound operation.
    public var parameters: [Parameter]
    /// The type of the result; nil for no result.
    public var returnType: EdmTypeReference?

    /// One parameter.
    public struct Parameter: Sendable, Hashable {
        /// The name of the parameter.
        public var name: String
        /// The type of the parameter.
        public var type: EdmTypeReference

        /// Creates a parameter of a type.
        public init(_ name: String, _ type: EdmTypeReference) {
            self.name = name
            self.type = type
        }
    }

    /// Creates an operation.
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
