import Soups

extension ODataFilterBuilder {
    /// A property that a condition is about.
    public struct Field: Sendable {
        /// The path; empty for the member itself.
        let path: String

        init() { path = "" }

        init(_ path: String) throws(Fault) {
            // The parser decides what a path is, so that nothing else can pass.
            guard let tree = try? ODataExpression(parsing: path, version: .v4), Self.isPath(tree),
                tree.text(of: tree.root).hasBytes(of: path)
            else {
                throw Fault(
                    .syntax, "expected the path of a property, such as Name or Address/City", offset: 0,
                    context: [.path(path)])
            }
            self.path = path
        }

        private static func isPath(_ tree: ODataExpression) -> Bool {
            let root = tree.nodes[tree.root]
            let path = root.kind == .count ? Int(root.first) : tree.root
            guard tree.nodes[path].kind == .path, root.kind != .count || tree.nodes[path].next < 0 else {
                return false
            }
            return tree.children(of: path).allSatisfy { tree.nodes[$0].kind == .name }
                && tree.bytes(of: path).first != UInt8(ascii: "$")
        }

        /// `eq`.
        public func equals(_ value: some ODataConvertible) -> ODataFilterBuilder { compared("eq", value.odataValue) }

        /// `ne`.
        public func differs(from value: some ODataConvertible) -> ODataFilterBuilder {
            compared("ne", value.odataValue)
        }

        /// `gt`.
        public func isGreater(than value: some ODataConvertible) -> ODataFilterBuilder {
            compared("gt", value.odataValue)
        }

        /// `ge`.
        public func isAtLeast(_ value: some ODataConvertible) -> ODataFilterBuilder {
            compared("ge", value.odataValue)
        }

        /// `lt`.
        public func isLess(than value: some ODataConvertible) -> ODataFilterBuilder {
            compared("lt", value.odataValue)
        }

        /// `le`.
        public func isAtMost(_ value: some ODataConvertible) -> ODataFilterBuilder {
            compared("le", value.odataValue)
        }

        /// `eq null`.
        public var isNull: ODataFilterBuilder { compared("eq", .null) }

        /// `ne null`.
        public var isNotNull: ODataFilterBuilder { compared("ne", .null) }

        /// `in` in version 4.01, otherwise a chain of `eq`. Nothing is in an empty list.
        public func isIn(_ values: [some ODataConvertible]) -> ODataFilterBuilder {
            .init(.membership(self, values.map(\.odataValue)))
        }

        /// `contains`, or `substringof` up to version 3.0.
        public func contains(_ text: String) -> ODataFilterBuilder { .init(.function("contains", self, text)) }

        /// `startswith`.
        public func starts(with text: String) -> ODataFilterBuilder { .init(.function("startswith", self, text)) }

        /// `endswith`.
        public func ends(with text: String) -> ODataFilterBuilder { .init(.function("endswith", self, text)) }

        /// `any`: holds if a member of the collection meets the condition, whose fields are those of the member;
        /// without a condition, if the collection has members.
        public func any(_ condition: ODataFilterBuilder? = nil) -> ODataFilterBuilder {
            .init(.lambda(self, "any", condition?.condition))
        }

        /// `all`: holds if every member of the collection meets the condition, whose fields are those of the member.
        public func all(_ condition: ODataFilterBuilder) -> ODataFilterBuilder {
            .init(.lambda(self, "all", condition.condition))
        }

        private func compared(_ name: String, _ value: ODataValue) -> ODataFilterBuilder {
            .init(.comparison(self, name, value))
        }
    }
}
