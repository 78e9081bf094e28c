import JSONText
import ServiceTransport

/// One request from its rules to its answer.
extension MockState {
    /// Numbers a request and finds the faults that strike it.
    mutating func plan(_ request: ServiceRequest) -> (number: Int, plan: FaultPlan) {
        let call = MockCall(request)
        var faults: [MockFault] = []
        for index in rules.indices where rules[index].strikes(request, call) {
            faults.append(rules[index].rule.fault)
        }
        return (log.nextNumber(), FaultPlan(faults))
    }

    mutating func answer(_ request: ServiceRequest, _ plan: FaultPlan) -> MockAnswer {
        defer { clock.now &+= clock.step }
        for fault in plan.before {
            act(fault)
        }
        var isApplied = false
        var answer: CallAnswer
        switch plan.instead {
        case .status(let status, let body, _): answer = AnswerFaults.failure(status, body)
        case nil:
            answer = apply(request, plan.refusals)
            isApplied = true
        default: answer = CallAnswer(500)
        }
        for fault in plan.after {
            act(fault)
            AnswerFaults.apply(fault, to: &answer)
        }
        var result = MockAnswer(
            response: response(answer), ending: .whole, delay: 0, isApplied: isApplied, faults: plan.names)
        for fault in [plan.instead].compactMap({ $0 }) + plan.after {
            end(fault, &result)
        }
        return result
    }

    mutating func log(_ request: ServiceRequest, _ answer: MockAnswer, _ number: Int) {
        log.append(LoggedRequest(number: number, request: request, call: MockCall(request), answer: answer))
    }

    private mutating func apply(_ request: ServiceRequest, _ refusals: [RecordRefusal]) -> CallAnswer {
        do throws(MockError) {
            let route = try MockRoute(method: request.method, path: request.path)
            return answer(MockContext(request: request, route: route, refusals: refusals))
        } catch {
            return CallAnswer(error)
        }
    }

    /// Faults that change the service.
    private mutating func act(_ fault: MockFault) {
        switch fault {
        case .expiredCursors: cursors.expireAll()
        case .clock(let milliseconds): clock.now &+= milliseconds
        case .change(let type, let id, let fields, _):
            // What is gone, or would be refused, stays as it is.
            if let fields {
                try? tables.update(type, id, fields, at: clock.now)
            } else {
                try? tables.delete(type, id, keepsReferring: options.keepsReferring)
            }
        default: break
        }
    }

    private func response(_ answer: CallAnswer) -> ServiceResponse {
        var response = ServiceResponse(status: answer.status, headers: answer.headers)
        if options.sendsDate, let date = HTTPDate.text(of: clock.now) {
            response.headers.append(Pair("Date", date))
        }
        if let body = answer.body {
            response.headers.append(Pair("Content-Type", "application/json;charset=UTF-8"))
            response.body = body.bytes()
        }
        return response
    }

    /// Faults of the bytes and of the connection.
    private func end(_ fault: MockFault, _ answer: inout MockAnswer) {
        switch fault {
        case .status(_, .html, false): setHTML(&answer.response)
        case .status(let status, let body, true):
            answer.response = response(AnswerFaults.failure(status, body))
            if body == .html {
                setHTML(&answer.response)
            }
        case .dropBefore, .dropAfter: answer.ending = .dropped
        case .timeOut: answer.ending = .silent
        case .delay(let milliseconds):
            let (sum, isTooLong) = answer.delay.addingReportingOverflow(max(0, milliseconds))
            answer.delay = isTooLong ? .max : sum
        case .broken(.notJSON): answer.response.body = Array("{not JSON".utf8)
        case .broken(.cutJSON): answer.response.body.removeLast((answer.response.body.count + 1) / 2)
        case .broken(.html):
            answer.response.status = 200
            setHTML(&answer.response)
        case .broken(.shortBody): answer.ending = .cut(afterBytes: answer.response.body.count / 2)
        default: break
        }
    }

    private func setHTML(_ response: inout ServiceResponse) {
        response.headers.removeAll { $0.name == "Content-Type" }
        response.headers.append(Pair("Content-Type", "text/html"))
        response.body = Array(AnswerFaults.html.utf8)
    }
}
