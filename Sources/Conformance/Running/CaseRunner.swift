import JSONText
import Soups

/// Runs one case on one back end.
struct CaseRunner {
    let backEnd: any CallBackEnd

    /// The result of a case: its status, and the bytes of each step's result for the comparison of back ends.
    struct Outcome {
        var status: CaseStatus
        var code = ""
        var detail = ""
        /// For each step, the result if it must not depend on the back end; otherwise nil.
        var results: [[UInt8]?] = []
        /// Whether the back end cannot be used again.
        var isLost = false
    }

    func run(_ vectorCase: VectorCase) -> Outcome {
        if let missing = backEnd.lack(for: vectorCase) {
            return Outcome(status: .skip, detail: "requires \(missing)")
        }
        do {
            try backEnd.reset()
        } catch {
            return outcome(of: error, at: "reset")
        }
        for call in vectorCase.fixture?.calls ?? [] {
            do {
                _ = try backEnd.run(call.name, call.arguments)
            } catch {
                return outcome(of: error, at: "fixture \(vectorCase.fixture?.name ?? ""), \(call.name)")
            }
        }
        var saved = SavedResults()
        var outcome = Outcome(status: .pass)
        var notes: [String] = []
        for (index, step) in vectorCase.steps.enumerated() {
            if let ending = run(step, at: index, saved: &saved, notes: &notes, results: &outcome.results) {
                return ending
            }
        }
        outcome.detail = notes.joined(separator: "; ")
        return outcome
    }

    /// Runs a step. Returns an outcome if the case ends here.
    private func run(
        _ step: VectorStep, at index: Int, saved: inout SavedResults, notes: inout [String], results: inout [[UInt8]?]
    ) -> Outcome? {
        let location = "steps[\(index)] \(step.call.name)"
        let arguments: JSONObject
        do {
            arguments = try saved.filling(.object(step.call.arguments)).object ?? JSONObject()
        } catch {
            return Outcome(status: .fail, detail: "\(location): nothing was kept at \(error.path)")
        }
        let value: JSONValue
        do {
            value = try backEnd.run(step.call.name, arguments)
        } catch .fault(let fault) {
            // Whether the case does not specify the fault, so that back ends may differ.
            var isOpen = false
            if case .fails(let expected) = step.expectation {
                isOpen = expected.code == nil
            }
            results.append(isOpen ? nil : Array("\(fault.code.rawValue) \(fault.offset.map(String.init) ?? "")".utf8))
            return outcome(of: fault, expected: step.expectation, at: location)
        } catch {
            return outcome(of: error, at: location)
        }
        let dependsOnBackEnd = CallSignature.of(step.call.name)?.dependsOnBackEnd ?? false
        results.append(dependsOnBackEnd ? nil : value.bytes(.compact))
        if let name = step.save {
            saved.keep(value, as: name)
        }
        switch step.expectation {
        case .success: return nil
        case .returns(let matcher):
            var matching = Matching(saved: saved)
            if let difference = matching.difference(matcher, value, at: "returns") {
                return Outcome(status: .fail, detail: "\(location): \(difference)")
            }
            notes += matching.notes
            return nil
        case .fails(let expected):
            return Outcome(
                status: .fail,
                detail: "\(location): expected \(expected.code ?? "a fault"), found \(Difference.text(of: value))")
        }
    }

    private func outcome(of fault: Fault, expected: VectorStep.Expectation, at location: String) -> Outcome? {
        guard case .fails(let expected) = expected else {
            return Outcome(status: .fail, code: fault.code.rawValue, detail: "\(location): \(fault)")
        }
        func failure(_ text: String) -> Outcome {
            Outcome(status: .fail, code: fault.code.rawValue, detail: "\(location): \(text)")
        }
        if expected.code == nil, fault.code == .driverError {
            return failure("fails: expected a typed error, found \(fault)")
        }
        if let code = expected.code, !code.utf8.elementsEqual(fault.code.rawValue.utf8) {
            return failure("fails.code: expected \(code), found \(fault)")
        }
        if let offset = expected.offset, fault.offset.map(Int64.init) != offset {
            return failure(
                "fails.offset: expected \(offset), found \(fault.offset.map(String.init) ?? "none") in \(fault)")
        }
        if let part = expected.contains, !fault.messageWithNames.contains(part) {
            return failure("fails.contains: expected a message with \(part), found \(fault.messageWithNames)")
        }
        return nil
    }

    private func outcome(of failure: CallFailure, at location: String) -> Outcome {
        switch failure {
        case .fault(let fault): Outcome(status: .error, code: fault.code.rawValue, detail: "\(location): \(fault)")
        case .crash(let how): Outcome(status: .crash, detail: "\(location): \(how)", isLost: true)
        case .timeout(let seconds):
            Outcome(status: .timeout, detail: "\(location): no answer in \(seconds) s", isLost: true)
        case .broken(let why): Outcome(status: .error, detail: "\(location): \(why)", isLost: true)
        }
    }
}
