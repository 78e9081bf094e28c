import StepCounting

/// The sets of namespace bindings as a trie: a state is its parent plus one binding.
///
/// The same declaration in the same state always gives the same state, and a redundant declaration does not change the
/// state. So a feed that declares its namespaces on every entry stays in one state, in which all lookups are cached.
struct NamespaceStates: ~Copyable {
    private struct State {
        var parent: Int32
        var prefix: Int32
        var namespace: Int32
        /// The number of bindings up to the root.
        var depth: Int32
        /// The last child that was entered.
        var lastChild: Int32 = -1
    }

    private struct Step: BitwiseCopyable {
        var parent: Int32
        var prefix: Int32
        var namespace: Int32
    }

    private var states: [State]
    /// Gives each step a number. Each leads to a state of its own, so the state after a step is the number after it.
    private var steps = ByteInterner()

    /// The state without declarations: only the prefix `xml` is bound, and there is no default namespace.
    static let root: Int32 = 0

    init(xmlPrefix: Int32, xmlNamespace: Int32) {
        states = [State(parent: -1, prefix: xmlPrefix, namespace: xmlNamespace, depth: 0)]
    }

    var count: Int { states.count }

    func depth(of state: Int32) -> Int { Int(states[Int(state)].depth) }

    /// The namespace of a prefix; nil if it is not declared. O(n) in the number of bindings in scope; callers cache the
    /// result.
    func namespace(of prefix: Int32, in state: Int32) -> Int32? {
        var at = state
        while at >= 0 {
            StepCounter.add()
            let current = states[Int(at)]
            if current.prefix == prefix {
                return current.namespace
            }
            at = current.parent
        }
        return nil
    }

    /// The state after one more declaration.
    mutating func bind(_ prefix: Int32, to namespace: Int32, in state: Int32) -> Int32 {
        if self.namespace(of: prefix, in: state) == namespace {
            return state
        }
        let last = states[Int(state)].lastChild
        if last >= 0, states[Int(last)].prefix == prefix, states[Int(last)].namespace == namespace {
            return last
        }
        let step = Step(parent: state, prefix: prefix, namespace: namespace)
        let child = steps.intern(bytesOf: step) + 1
        if child == states.count {
            states.append(
                State(parent: state, prefix: prefix, namespace: namespace, depth: states[Int(state)].depth + 1))
        }
        states[Int(state)].lastChild = child
        return child
    }
}
