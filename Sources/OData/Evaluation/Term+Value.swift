import Soups

extension Term {
    /// The term as a value. Data without a declared type get the type of their JSON value.
    ///
    /// - Parameter levels: How deep the data may be; those that may be compared, unless given.
    /// - Throws: `limitExceeded` for data that are deeper.
    func value(atMost levels: Int = DeepValue.greatestDepth) throws(Fault) -> ODataValue {
        switch self {
        case .value(let value): return value
        case .text(let text): return .string(text)
        case .list(let terms):
            // A literal has a limit of its own.
            return .collection(try terms.map { (term) throws(Fault) in try term.value(atMost: levels) })
        case .node(let node):
            guard levels > 0 else { throw DeepValue.tooDeep }
            if let elements = node.elements {
                return .collection(
                    try elements.map { (element) throws(Fault) in
                        try Term(element, declared: .unknown).value(atMost: levels - 1)
                    })
            }
            return .complex(
                try (node.members ?? []).map { (member) throws(Fault) in
                    ODataValue.Member(
                        member.name, try Term(member.value, declared: .unknown).value(atMost: levels - 1))
                })
        }
    }
}
