import Benchmarking

extension Arm {
    /// The back ends for which claims are decided.
    static let backends = ["plain", "cipher"]

    /// Returns every way of working on every back end, the ways of one back end together.
    static func all(_ ways: String...) -> [Arm] { backends.flatMap { backend in ways.map { Arm(backend, $0) } } }
}

extension Cell.Comparison {
    /// Returns the comparison of two ways of working, for each back end.
    static func ways(_ base: String, _ arm: String, sameAnswer: Bool = true) -> [Cell.Comparison] {
        Arm.backends.map { Cell.Comparison(Arm($0, base), Arm($0, arm), sameAnswer: sameAnswer) }
    }
}

extension Claim {
    /// Returns the claim for each back end.
    static func onBackends(
        _ id: String, _ statement: String, metric: Metric? = nil, _ expectation: (_ backend: String) -> Expectation
    ) -> [Claim] {
        Arm.backends.map { Claim(id, statement, backend: $0, metric: metric, expectation($0)) }
    }
}
