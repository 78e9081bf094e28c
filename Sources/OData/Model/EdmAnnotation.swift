/// An annotation of a metadata document: its target, its term, and its value as an unevaluated expression.
public struct EdmAnnotation: Sendable, Hashable {
    /// The path of the annotated element, such as `Shop.Item/Name`.
    public var target: String
    /// The qualified name of the term.
    public var term: String
    public var qualifier: String?
    public var value: Expression

    /// An expression of CSDL: its kind (`String`, `Path`, `Record`, `Collection`, `If`, ...), text and parts.
    public struct Expression: Sendable, Hashable {
        public var kind: String
        public var text: String
        /// The name of a property value, or the type of a record.
        public var name: String?
        public var parts: [Expression]

        public init(kind: String, text: String = "", name: String? = nil, parts: [Expression] = []) {
            self.kind = kind
            self.text = text
            self.name = name
            self.parts = parts
        }
    }

    public init(target: String, term: String, qualifier: String? = nil, value: Expression) {
        self.target = target
        self.term = term
        self.qualifier = qualifier
        self.value = value
    }
}
