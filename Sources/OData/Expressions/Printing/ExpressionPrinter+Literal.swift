extension ExpressionPrinter {
    /// Writes a literal in the form of the expression's version.
    mutating func writeLiteral(_ index: Int) {
        guard let type = LiteralType(rawValue: expression.nodes[index].detail) else { return }
        put(
            LiteralText.canonical(
                of: expression.value(of: index), type, written: expression.text(of: index), version: expression.version)
        )
    }
}
