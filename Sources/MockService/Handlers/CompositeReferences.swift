import JSONText

/// Replaces `@{r1.id}` by what the part `r1` of a composite request answered.
struct CompositeReferences {
    private let answered: [String: JSONValue]

    init(_ answered: [String: JSONValue]) { self.answered = answered }

    /// Letters, digits and underscores, at least one.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
            }
    }

    /// Throws `PROCESSING_HALTED` for a part that failed or does not exist.
    func resolved(_ text: String) throws(MockError) -> String {
        var resolved = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "@{"), let end = rest[start.upperBound...].firstRange(of: "}") {
            resolved += rest[..<start.lowerBound]
            resolved += try value(rest[start.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        return resolved + rest
    }

    func resolved(_ value: JSONValue) throws(MockError) -> JSONValue {
        // Records are flat: only the values of an object's own members can refer to something.
        switch value {
        case .string(let text): return .string(try resolved(text))
        case .object(let object):
            return .object(
                JSONObject(
                    try object.members.map { (member) throws(MockError) in
                        guard case .string(let text) = member.value else { return (member.name, member.value) }
                        return (member.name, .string(try resolved(text)))
                    }))
        default: return value
        }
    }

    private func value(_ path: Substring) throws(MockError) -> String {
        let parts = path.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 2, let value = answered[parts[0]]?[parts[1]]?.string else {
            throw MockError(400, "PROCESSING_HALTED", "Invalid reference specified. No value for \(path) found")
        }
        return value
    }
}
