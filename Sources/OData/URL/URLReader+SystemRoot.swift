import Soups

/// The roots of a service that are not entity sets take few options and few segments (OData ABNF, rule
/// `odataRelativeUri`).
extension URLReader {
    /// Checks what follows `$crossjoin`, `$entity`, `$all`, `$metadata` and `$batch`. Throws `syntax` at the option or
    /// segment.
    func checkSystemRoot(of resource: [ResourceSegment]) throws(Fault) {
        guard let first = resource.first else { return }
        if first.kind == .crossJoin, let next = resource.dropFirst().first(where: { $0.kind == .name }) {
            throw Fault(.syntax, "no property may follow $crossjoin", offset: next.offset)
        }
        guard first.kind == .system else { return }
        func isNamed(_ name: String) -> Bool { first.name.hasBytes(of: name) }
        let isEntity = isNamed("$entity")
        if isEntity || isNamed("$all") {
            try checkType(after: first, in: resource)
        }
        if isEntity {
            guard texts[.id] != nil else {
                throw Fault(.syntax, "$entity needs $id", offset: first.offset)
            }
            try check(resource.count > 1 ? [.id, .format, .select, .expand] : [.id, .format], of: first)
        } else if isNamed("$metadata") || isNamed("$batch") {
            try check([.format, .schemaversion], of: first)
        }
    }

    /// Only the name of a type may follow, and nothing after it.
    private func checkType(after first: ResourceSegment, in resource: [ResourceSegment]) throws(Fault) {
        guard resource.count > 1 else { return }
        guard resource[1].kind == .name, resource[1].arguments == nil else {
            throw Fault(.syntax, "only a type may follow \(first.name)", offset: resource[1].offset)
        }
        if resource.count > 2 {
            throw Fault(.syntax, "nothing may follow the type after \(first.name)", offset: resource[2].offset - 1)
        }
    }

    private func check(_ allowed: Set<SystemOption>, of segment: ResourceSegment) throws(Fault) {
        let wrong = offsets.filter { !allowed.contains($0.key) }.min { $0.value < $1.value }
        guard let wrong else { return }
        let hint = allowed.contains(.id) && !allowed.contains(.select) ? " without a type" : ""
        throw Fault(
            .syntax, "$\(wrong.key.rawValue) is not allowed with \(segment.name)\(hint)", offset: wrong.value)
    }
}
