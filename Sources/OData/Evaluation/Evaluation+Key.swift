import Soups

extension Evaluation {
    /// The member of a collection with the key; `nil` if no member has it.
    ///
    /// - Parameters:
    ///   - first: The node of the first value of the key.
    ///   - segment: The node whose offset a fault gets if a value has no name and no model supplies it.
    mutating func member(of elements: [Value], withKey first: Int32, at segment: Int) throws(Fault) -> Value? {
        var parts: [(path: [String], value: Value)] = []
        var next = first
        while next >= 0 {
            let value = Int(next)
            guard let path = evaluator.keyPaths[value] else {
                throw Fault(
                    .unsupported, "without a model a key needs the name of its property, as in Items(ID=1)",
                    offset: node(segment).range.lowerBound)
            }
            parts.append((path, try term(node(value).kind == .argument ? Int(node(value).first) : value)))
            next = node(value).next
        }
        for element in elements where try has(element, parts) {
            return element
        }
        return nil
    }

    private mutating func has(_ element: Value, _ parts: [(path: [String], value: Value)]) throws(Fault) -> Bool {
        for part in parts {
            guard case .node(var target) = element else { return false }
            for name in part.path {
                guard let next = target.member(name) else { return false }
                target = next
            }
            guard try areEqual(Value(target, declared: .unknown), part.value) else { return false }
        }
        return true
    }
}
