/// Keeps the sets of namespace bindings as a trie: a state is its parent and one binding more.
///
/// The same declaration made from the same state gives the same state, a redundant one gives no new state at all. So a
/// feed that declares its namespaces again on every entry stays in one state, and what was looked up in it stays known.
struct NamespaceStates {
    private struct State {
        var parent: Int32
        var prefix: Int32
        var namespace: Int32
        /// Bindings from here to the root.
        var depth: Int32
        /// The child that was entered last.
        var lastChild: Int32 = -1
    }

    private struct Step: Hashable {
        var parent: Int32
        var prefix: Int32
        var namespace: Int32
    }

    private var states: [State]
    private var children: [Step: Int32] = [:]

    /// The state without declarations: the prefix `xml` is bound, the default namespace is none.
    static let root: Int32 = 0

    init(xmlPrefix: Int32, xmlNamespace: Int32) {
        states = [State(parent: -1, prefix: xmlPrefix, namespace: xmlNamespace, depth: 0)]
    }

    var count: Int { states.count }

    func depth(of state: Int32) -> Int { Int(states[Int(state)].depth) }

    /// The namespace that the prefix is bound to, nil if to none. O(bindings in scope); callers keep what they were
    /// told.
    func namespace(of prefix: Int32, in state: Int32) -> Int32? {
        var at = state
        while at >= 0 {
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
        let child: Int32
        if let known = children[step] {
            child = known
        } else {
            child = Int32(states.count)
            states.append(
                State(parent: state, prefix: prefix, namespace: namespace, depth: states[Int(state)].depth + 1))
            children[step] = child
        }
        states[Int(state)].lastChild = child
        return child
    }
}
