/// One condition of a statement of a walk, with the values that are bound to its `?`.
struct WalkCondition {
    let text: String
    let values: [WalkValue]

    static func fixed(_ fragment: SQLFragment) -> WalkCondition {
        WalkCondition(text: fragment.text, values: fragment.bindings.map { .fixed($0) })
    }

    static func compared(_ expression: String, _ comparison: String, _ value: WalkValue) -> WalkCondition {
        WalkCondition(text: "\(expression) \(comparison) ?", values: [value])
    }
}
