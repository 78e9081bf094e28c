import ServiceTransport

/// A rule, and how many requests it has seen.
struct ActiveODataRule: Sendable {
    let rule: ODataFaultRule
    private var seen = 0

    init(_ rule: ODataFaultRule) { self.rule = rule }

    /// Counts a request that fits; whether it is struck.
    mutating func strikes(_ request: ServiceRequest, _ route: MockODataRoute?) -> Bool {
        guard fits(request, route) else { return false }
        seen += 1
        guard seen >= rule.nth else { return false }
        guard let times = rule.times else { return true }
        return seen - max(1, rule.nth) < times
    }

    private func fits(_ request: ServiceRequest, _ route: MockODataRoute?) -> Bool {
        if rule.part != nil, route?.call != .batch {
            return false
        }
        if let call = rule.call, call != route?.call {
            return false
        }
        if let method = rule.method, method != request.method {
            return false
        }
        if let set = rule.set, set != route?.set {
            return false
        }
        return rule.path.map { request.target.utf8.contains($0.utf8) } ?? true
    }
}
