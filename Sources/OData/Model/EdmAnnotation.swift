/// An annotation of a metadata document: its target, its term, and its value as an unevaluated expression.
public struct EdmAnnotation: Sendable, Hashable {
    /// The path of the annotated element, such as `Shop.Item/Name`.
    public var target: String
    /// The qualified name of the term.
    public var term: String
    /// The qualifier, which tells several annotations with one term apart.
    public var qualifier: String?
    /// The value, which is not evaluated.
    public var value: Expression

    /// An expression of CSDL: its kind (`String`, `Path`, `Record`, `Collection`, `If`, ...), text and parts.
    public struct Expression: Sendable, Hashable {
        /// The name of the CSDL element, such as `String` or `Record`.
        public var kind: String
        /// The text of a constant or path; empty for other kinds.
        public var text: String
        /// The name of a property value, or the type of a record.
        public var name: String?
        /// The operands, elements or property values.
        public var parts: [Expression]

        /// Creates an expression.
        public init(kind: String, text: String = "", name: String? = nil, parts: [Expression] = []) {
            self.kind = kind
            self.text = text
            self.name = name
            self.parts = parts
        }
    }

    /// Creates an annotation of a target.
    public init(target: String, term: String, qualifier: String? = nil, value: Expression) {
        self.target = target
        self.term = term
        self.qualifier = qualifier
        self.value = value
    }
}
