import JSONText

/// What one step of a case uses, and whether it checks a result or an error.
struct StepUse {
    let call: String
    let checksResult: Bool
    let checksError: Bool
    /// The code that is expected.
    let code: String?
    let queryKind: String?
    /// The types of indexes in the arguments, and of those that the case has registered before.
    let indexTypes: Set<String>
    /// Operators and functions in OData texts.
    let words: Set<String>

    /// The uses of all steps of a case.
    static func uses(_ vectorCase: VectorCase) -> [StepUse] {
        var registered: Set<String> = []
        for call in vectorCase.fixture?.calls ?? [] {
            registered.formUnion(types(call.arguments))
        }
        return vectorCase.steps.flatMap { step in
            registered.formUnion(types(step.call.arguments))
            return [StepUse(step, indexTypes: registered)] + failuresMeanwhile(step)
        }
    }

    /// The calls that a step has made before an answer is given, and that must fail with a code.
    private static func failuresMeanwhile(_ step: VectorStep) -> [StepUse] {
        let calls = (step.call.arguments["answers"]?.array ?? []).flatMap { $0["meanwhile"]?.array ?? [] }
        return calls.compactMap { call in
            guard let name = call["call"]?.string, let code = call["fails"]?["code"]?.string else { return nil }
            return StepUse(failing: name, code: code)
        }
    }

    private init(failing call: String, code: String) {
        self.call = call
        self.code = code
        (checksResult, checksError, queryKind, indexTypes, words) = (false, true, nil, [], [])
    }

    private init(_ step: VectorStep, indexTypes: Set<String>) {
        call = step.call.name
        self.indexTypes = indexTypes
        switch step.expectation {
        case .returns(let expected):
            code = Self.errorCode(in: expected)
            (checksResult, checksError) = (true, code != nil)
        case .fails(let fault): (checksResult, checksError, code) = (false, true, fault.code)
        case .success: (checksResult, checksError, code) = (false, false, nil)
        }
        let arguments = step.call.arguments
        queryKind = arguments["querySpec"]?["queryType"]?.string
        var words: Set<String> = []
        if CallName.isOData(call) {
            for name in ["text", "filter", "url"] {
                words.formUnion(ExpressionWords.words(in: arguments[name]?.string ?? ""))
            }
        }
        self.words = words
    }

    /// The code with which a run is expected to have failed, which is a part of its result.
    private static func errorCode(in expected: Matcher) -> String? {
        guard case .object(let members) = expected else { return nil }
        for member in members {
            if member.name == "errorCode", case .string(let code) = member.matcher {
                return code
            }
            if member.name == "sync", let code = errorCode(in: member.matcher) {
                return code
            }
        }
        return nil
    }

    private static func types(_ arguments: JSONObject) -> [String] {
        (arguments["indexSpecs"]?.array ?? []).compactMap { $0["type"]?.string }
    }
}
