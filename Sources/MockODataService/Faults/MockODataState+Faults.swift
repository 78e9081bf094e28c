import JSONText
import ServiceTransport

/// The faults that strike one request.
struct ODataFaultPlan: Sendable {
    var faults: [MockODataFault] = []
    var parts: [(part: Int, fault: MockODataFault)] = []

    /// What is answered in place of applying the request; the first one counts.
    var instead: MockODataFault? {
        faults.first { fault in
            switch fault {
            case .status(_, _, _, afterApplying: false), .dropBefore: true
            default: false
            }
        }
    }

    var spoils: Spoils {
        var spoils: Spoils = []
        for case .spoiled(let spoiling) in faults {
            spoils.insert(Spoils(spoiling))
        }
        return spoils
    }

    /// The names of signals before or after the request.
    func signals(after: Bool) -> [String] {
        faults.compactMap { fault in
            if case .signal(let name, after) = fault {
                name
            } else {
                nil
            }
        }
    }
}

// One request from its rules to its answer.
extension MockODataState {
    static let html = "<!DOCTYPE html><html><body><h1>Service Unavailable</h1></body></html>"

    /// Numbers a request and finds the faults that strike it.
    mutating func plan(_ request: ServiceRequest) -> (number: Int, plan: ODataFaultPlan) {
        let route = try? route(request)
        var plan = ODataFaultPlan()
        for index in rules.indices where rules[index].strikes(request, route) {
            let rule = rules[index].rule
            if let part = rule.part {
                plan.parts.append((part, rule.fault))
            } else {
                plan.faults.append(rule.fault)
            }
        }
        return (log.nextNumber(), plan)
    }

    mutating func answer(_ request: ServiceRequest, _ plan: ODataFaultPlan) -> MockODataAnswer {
        act(plan, after: false)
        partFaults = plan.parts
        let instead = plan.instead
        var reply = instead == nil ? apply(request, plan.spoils) : MockReply(500)
        partFaults = []
        act(plan, after: true)
        if let date = HTTPDate.text(of: now) {
            reply.headers.append(Pair("Date", date))
        }
        var answer = MockODataAnswer(
            response: ServiceResponse(status: reply.status, headers: reply.headers, body: reply.body), ending: .whole,
            delay: 0, isApplied: instead == nil, faults: plan.faults.map(\.name) + plan.parts.map(\.fault.name))
        for fault in plan.faults {
            end(fault, &answer)
        }
        return answer
    }

    /// The status that a rule gives a part of the batch that is being answered.
    func partFault(_ number: Int, isAfter: Bool) -> Int? {
        partFaults.lazy.compactMap { part, fault -> Int? in
            if part == number, case .status(let status, _, _, isAfter) = fault {
                status
            } else {
                nil
            }
        }.first
    }

    /// What other users do.
    private mutating func act(_ plan: ODataFaultPlan, after: Bool) {
        for case .change(let set, let key, let properties, after) in plan.faults {
            // What is gone, or would be refused, stays as it is.
            try? change(set, key, properties)
        }
    }

    /// Changes an entity as another user does; creates it if it is not there, deletes it without properties.
    mutating func change(_ set: String, _ predicate: String, _ properties: JSONObject?) throws(Refusal) {
        guard model.set(set) != nil else { throw .notFound }
        let key = try key(predicate, in: set)
        guard let properties else {
            return try remove(set, key, depth: 0)
        }
        var entity = data.entity(set, key)
        if entity == nil {
            var values = JSONObject()
            for property in model.type(of: set).properties {
                values[property.name] = .null
            }
            for part in MockODataRoute.keyParts(predicate) {
                let type = model.type(of: set)
                let name = part.name.isEmpty ? type.key.first ?? "" : part.name
                values[name] = KeyPart.value(ofLiteral: part.literal, type: type.property(name)?.type ?? "")
            }
            entity = MockEntity(key: key, values: values, version: 0)
        }
        guard var changed = entity else { return }
        for member in properties.members {
            changed.values[member.name] = member.value
        }
        changed.version += 1
        data.save(changed, in: set)
    }

    // MARK: - Answers

    /// Faults of the status, the bytes and the connection.
    private func end(_ fault: MockODataFault, _ answer: inout MockODataAnswer) {
        switch fault {
        case .status(let status, let body, let seconds, _): setError(status, body, seconds, &answer.response)
        case .dropBefore, .dropAfter: answer.ending = .dropped
        case .cut(let byte): answer.ending = .cut(afterBytes: min(byte ?? .max, answer.response.body.count / 2))
        case .shortened(let byte):
            answer.response.body = Array(answer.response.body.prefix(byte ?? answer.response.body.count / 2))
        case .delay(let milliseconds):
            let (sum, isTooLong) = answer.delay.addingReportingOverflow(max(0, milliseconds))
            answer.delay = isTooLong ? .max : sum
        case .coded(let coding): ODataAnswerCoding.apply(coding, to: &answer.response)
        case .spoiled, .change, .signal: break
        }
    }

    private func setError(
        _ status: Int, _ body: MockODataFault.ErrorBody, _ seconds: Int?, _ response: inout ServiceResponse
    ) {
        switch body {
        case .error:
            let format: MockFormat = version.isV4 ? .json : version == .v2 ? .atom : .light
            let reply = reply(Refusal(status, "Refused", "refused by a rule"), format)
            response = ServiceResponse(status: status, headers: reply.headers, body: reply.body)
        case .html:
            response = ServiceResponse(
                status: status, headers: [Pair("Content-Type", "text/html")], body: Array(Self.html.utf8))
        case .empty: response = ServiceResponse(status: status)
        }
        if let seconds {
            response.headers.append(Pair("Retry-After", String(seconds)))
        }
    }
}
