import Soups

/// Finds the overload of a function that is called with certain arguments.
struct FunctionArguments {
    let model: EdmModel

    /// The overload whose parameters have these names and types; nil for a function that the model does not declare.
    ///
    /// Throws `unknownProperty` if no overload has a parameter of one of the names, and `typeMismatch` if none takes the
    /// arguments. The binding parameter is what comes before the function in the path. Parameters may be left out where
    /// an annotation says that they are optional, which is not checked.
    func overload(
        of name: String, taking arguments: [(name: String, type: StaticType)], at offset: Int
    ) throws(Fault) -> EdmOperation? {
        let overloads = model.functions(name)
        guard !overloads.isEmpty else { return nil }
        var isNamed = false
        for function in overloads {
            let parameters = function.isBound ? function.parameters.dropFirst() : function.parameters[...]
            let types = arguments.map { argument in
                parameters.first { $0.name.hasBytes(of: argument.name) }?.type
            }
            guard !types.contains(nil) else { continue }
            isNamed = true
            let isTaken = zip(types, arguments).allSatisfy { type, argument in
                type.map { takes(StaticType($0, in: model), argument.type) } ?? false
            }
            if isTaken {
                return function
            }
        }
        guard isNamed else {
            throw Fault(
                .unknownProperty, "the function has no parameters of these names", offset: offset,
                context: [.path(name)])
        }
        throw Fault(
            .typeMismatch, "an argument does not match the type of its parameter", offset: offset,
            context: [.path(name)])
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
