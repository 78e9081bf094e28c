import JSONText
import ServiceTransport

extension MockODataState {
    mutating func batch(_ context: MockContext) throws(Refusal) -> MockReply {
        let type = context.header("content-type") ?? ""
        let isJSON = type.lowercased().hasPrefix("application/json") && version.isV4
        let bytes = context.request.body ?? []
        let parts = isJSON ? try JSONBatchText.parts(bytes) : try MultipartText.parts(bytes, contentType: type)
        let goesOn = !version.isV4 || context.prefers("continue-on-error")
        var results = run(parts, context, goesOn: goesOn)
        if context.spoils.contains(.fewerAnswers) {
            _ = results.popLast()
        }
        if context.spoils.contains(.moreAnswers), var last = results.last {
            last.part.id = last.part.id.map { $0 + "x" }
            last.part.group = nil
            results.append(last)
        }
        var headers = versionHeaders
        if version.isV4, goesOn {
            let name = version == .v4 ? "odata.continue-on-error" : "continue-on-error"
            headers.append(Pair("Preference-Applied", name))
        }
        if isJSON {
            return MockReply(200, [Pair("Content-Type", "application/json")] + headers, JSONBatchText.body(results))
        }
        let boundary = "batchresponse_1"
        let status = version.isV4 ? 200 : 202
        return MockReply(
            status, [Pair("Content-Type", "multipart/mixed; boundary=\(boundary)")] + headers,
            MultipartText.body(results, boundary: boundary))
    }

    /// Does the parts in their order, change sets whole or not at all.
    private mutating func run(_ parts: [BatchPart], _ context: MockContext, goesOn: Bool) -> [BatchResult] {
        var (results, failed): ([BatchResult], Set<String>) = ([], [])
        created = [:]
        var index = 0
        while index < parts.count {
            let part = parts[index]
            let group = part.group.map { group in parts[index...].prefix { $0.group == group } } ?? parts[index...index]
            index += group.count
            let (before, names) = (data, created)
            var own: [BatchResult] = []
            for (offset, part) in group.enumerated() {
                let number = group.startIndex + offset + 1
                let isBlocked = part.needs.contains { failed.contains($0) }
                let reply =
                    isBlocked
                    ? self.reply(Refusal(424, "FailedDependency", "a request before it failed"), context.format)
                    : answer(part, number: number, context)
                own.append(BatchResult(part: part, reply: reply))
                guard reply.status >= 400 else { continue }
                if part.group != nil {
                    data = before
                    created = names
                    own = [BatchResult(part: part, reply: reply, isOfGroup: true)]
                    failed.formUnion(group.compactMap(\.id) + [part.group].compactMap(\.self))
                }
                part.id.map { _ = failed.insert($0) }
                break
            }
            results += own
            if !goesOn, own.contains(where: { $0.reply.status >= 400 }) {
                break
            }
            // A group is known by its name to requests that need it.
            if part.group == nil {
                created = created.filter { names[$0.key] != nil || $0.key == part.id }
            }
        }
        created = [:]
        return results
    }

    private mutating func answer(_ part: BatchPart, number: Int, _ context: MockContext) -> MockReply {
        var request = ServiceRequest(method: part.method, path: "")
        (request.path, request.encodedQuery) = target(of: part.url)
        request.headers = part.headers.filter { $0.name.lowercased() != "content-id" }
        request.headers += part.id.map { [Pair("Content-ID", $0)] } ?? []
        if !request.headers.contains(where: { $0.name.lowercased() == "accept" }),
            let accept = context.header("accept"), !accept.contains("multipart")
        {
            request.headers.append(Pair("Accept", accept))
        }
        if let host = context.header("host") {
            request.headers.append(Pair("Host", host))
        }
        request.body = part.body.isEmpty ? nil : part.body
        if (try? route(request))?.call == .batch {
            return reply(.malformed("a batch has no batch in it"), context.format)
        }
        if let status = partFault(number, isAfter: false) {
            return reply(Refusal(status, "Refused", "refused by a rule"), context.format)
        }
        let answer = apply(request, context.spoils)
        if let status = partFault(number, isAfter: true) {
            return reply(Refusal(status, "Refused", "refused by a rule"), context.format)
        }
        return answer
    }

    /// The path and query of the URL of a part, below the host.
    private func target(of url: String) -> (path: String, query: String?) {
        var rest = Substring(url)
        if let scheme = rest.firstIndex(of: ":"), rest[scheme...].hasPrefix("://") {
            let host = rest[rest.index(scheme, offsetBy: 3)...]
            rest = host.firstIndex(of: "/").map { host[$0...] } ?? "/"
        } else if !rest.hasPrefix("/") {
            rest = Substring(options.root + rest)
        }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : nil)
    }
}
