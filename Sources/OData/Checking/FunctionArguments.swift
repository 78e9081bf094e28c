import Soups

/// Finds the overload of a function that is called with certain arguments.
struct FunctionArguments {
    let model: EdmModel

    /// The overload whose parameters have these names and types. Nil for a function that the model does not declare,
    /// and where several overloads with different results take the arguments.
    ///
    /// Throws `unknownProperty` if no overload has parameters of these names, and `typeMismatch` if their types do not
    /// fit the arguments, or the binding parameter does not fit what comes before the function in the path. Parameters
    /// may be left out where an annotation says that they are optional, which is not checked.
    ///
    /// - Parameter binding: The type of what comes before the function in a resource path; nil in an expression, where
    ///   the value is not checked.
    func overload(
        of name: String, boundTo binding: StaticType? = nil, taking arguments: [(name: String, type: StaticType)],
        at offset: Int
    ) throws(Fault) -> EdmOperation? {
        let overloads = model.functions(name)
        guard !overloads.isEmpty else { return nil }
        var isNamed = false
        var isBound = false
        var taking: [EdmOperation] = []
        for function in overloads {
            let parameters = function.isBound ? function.parameters.dropFirst() : function.parameters[...]
            let types = arguments.map { argument in
                parameters.first { $0.name.hasBytes(of: argument.name) }?.type
            }
            guard !types.contains(nil) else { continue }
            isNamed = true
            guard binding.map({ canBind(function, to: $0) }) ?? true else { continue }
            isBound = true
            let isTaken = zip(types, arguments).allSatisfy { type, argument in
                type.map { takes(StaticType($0, in: model), argument.type) } ?? false
            }
            if isTaken {
                taking.append(function)
            }
        }
        // An overload without further parameters comes first.
        let exact = taking.filter { $0.parameters.count - ($0.isBound ? 1 : 0) == arguments.count }
        let fitting = exact.isEmpty ? taking : exact
        if let found = fitting.first {
            return fitting.allSatisfy { $0.returnType == found.returnType } ? found : nil
        }
        guard isNamed else {
            throw Fault(
                .unknownProperty, "the function has no parameters of these names", offset: offset,
                context: [.path(name)])
        }
        guard isBound else {
            throw Fault(
                .typeMismatch, "the function cannot be bound to the value before it", offset: offset,
                context: [.path(name)])
        }
        throw Fault(
            .typeMismatch, "an argument does not match the type of its parameter", offset: offset,
            context: [.path(name)])
    }

    /// Whether a function can be bound to a value, as far as the types tell.
    private func canBind(_ function: EdmOperation, to value: StaticType) -> Bool {
        guard function.isBound, let parameter = function.parameters.first, value.base != .unknown else { return true }
        let type = StaticType(parameter.type, in: model)
        guard type.base != .unknown else { return true }
        guard type.isCollection == value.isCollection else { return false }
        if let wanted = type.structuredName {
            return value.mayBe(wanted, in: model)
        }
        return type.takes(value) || type.element.takes(value.element)
    }

    private func takes(_ parameter: StaticType, _ argument: StaticType) -> Bool {
        if argument.isCollection {
            return parameter.isCollection || parameter.base == .unknown
        }
        if case .structured = argument.base {
            return parameter.structuredName != nil || parameter.base == .unknown
        }
        return parameter.takes(argument)
    }
}
