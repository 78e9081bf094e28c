import JSONText
import Soups

/// Runs one case on one back end.
struct CaseRunner {
    let backEnd: any CallBackEnd

    /// What a case gave: its row, and the bytes of each step's result for the comparison of back ends.
    struct Outcome {
        var status: CaseStatus
        var code = ""
        var detail = ""
        /// One for each step that gave a result which must not depend on the back end; nil for the others.
        var results: [[UInt8]?] = []
        /// The back end cannot be used again.
        var isLost = false
    }

    func run(_ vectorCase: VectorCase) -> Outcome {
        if let missing = vectorCase.missingCapability(among: backEnd.capabilities) {
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

    /// Runs a step; gives an outcome where the case ends here.
    private func run(
        _ step: VectorStep, at index: Int, saved: inout SavedResults, notes: inout [String], results: inout [[UInt8]?]
    ) -> Outcome? {
        let place = "steps[\(index)] \(step.call.name)"
        let arguments: JSONObject
        do {
            arguments = try saved.filling(.object(step.call.arguments)).object ?? JSONObject()
        } catch {
            return Outcome(status: .fail, detail: "\(place): nothing was kept at \(error.path)")
        }
        let value: JSONValue
        do {
            value = try backEnd.run(step.call.name, arguments)
        } catch .fault(let fault) {
            // Where the case leaves the fault open, back ends may differ in it.
            var isOpen = false
            if case .fails(let expected) = step.expectation {
                isOpen = expected.code == nil
            }
            results.append(isOpen ? nil : Array("\(fault.code.rawValue) \(fault.offset.map(String.init) ?? "")".utf8))
            return outcome(of: fault, expected: step.expectation, at: place)
        } catch {
            return outcome(of: error, at: place)
        }
        results.append(Self.dependsOnBackEnd(step.call.name) ? nil : value.bytes(.compact))
        if let name = step.save {
            saved.keep(value, as: name)
        }
        switch step.expectation {
        case .success: return nil
        case .returns(let matcher):
            var matching = Matching(saved: saved)
            if let difference = matching.difference(matcher, value, at: "returns") {
                return Outcome(status: .fail, detail: "\(place): \(difference)")
            }
            notes += matching.notes
            return nil
        case .fails(let expected):
            return Outcome(
                status: .fail,
                detail: "\(place): expected \(expected.code ?? "a fault"), found \(Difference.text(of: value))")
        }
    }

    /// Sizes of files, plans and what a back end says of itself may differ; every other result is the same everywhere.
    private static func dependsOnBackEnd(_ call: String) -> Bool {
        ["getDatabaseSize", "explainQuery", "hello"].contains(call)
    }

    private func outcome(of fault: Fault, expected: VectorStep.Expectation, at place: String) -> Outcome? {
        guard case .fails(let expected) = expected else {
            return Outcome(status: .fail, code: fault.code.rawValue, detail: "\(place): \(fault)")
        }
        func failure(_ text: String) -> Outcome {
            Outcome(status: .fail, code: fault.code.rawValue, detail: "\(place): \(text)")
        }
        if let code = expected.code, !code.utf8.elementsEqual(fault.code.rawValue.utf8) {
            return failure("fails.code: expected \(code), found \(fault)")
        }
        if let offset = expected.offset, fault.offset.map(Int64.init) != offset {
            return failure(
                "fails.offset: expected \(offset), found \(fault.offset.map(String.init) ?? "none") in \(fault)")
        }
        if let part = expected.contains, !fault.message.contains(part) {
            return failure("fails.contains: expected a message with \(part), found \(fault.message)")
        }
        return nil
    }

    private func outcome(of failure: CallFailure, at place: String) -> Outcome {
        switch failure {
        case .fault(let fault): Outcome(status: .error, code: fault.code.rawValue, detail: "\(place): \(fault)")
        case .crash(let how): Outcome(status: .crash, detail: "\(place): \(how)", isLost: true)
        case .timeout(let seconds):
            Outcome(status: .timeout, detail: "\(place): no answer in \(seconds) s", isLost: true)
        case .broken(let why): Outcome(status: .error, detail: "\(place): \(why)", isLost: true)
        }
    }
}
