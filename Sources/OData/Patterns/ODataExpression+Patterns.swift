import Soups

extension ODataExpression {
    /// Compiles the literal patterns in calls of `matchesPattern`. Offsets in faults count in the text of the
    /// expression.
    func literalPatterns() throws(Fault) -> [Int: Pattern] {
        var patterns: [Int: Pattern] = [:]
        var length = 0
        for call in nodes.indices where function(of: call) == .matchesPattern {
            let argument = children(of: call)[1]
            guard case .string(let text) = value(of: argument) else { continue }
            do throws(Fault) {
                let pattern = try Pattern(parsing: text)
                length += pattern.program.count
                guard length <= Self.maximumPatterns else {
                    throw Fault(.limitExceeded, "the patterns of the expression are too long in total", offset: 0)
                }
                patterns[call] = pattern
            } catch {
                throw Fault(error.code, error.message, offset: offset(error.offset ?? 0, inLiteral: argument, text))
            }
        }
        return patterns
    }

    /// The maximum number of instructions of all patterns in one expression.
    private static let maximumPatterns = 16 * Pattern.maximumLength

    /// The offset in the expression of a byte of a string. The opening quote comes first, and every quote inside the
    /// string is written twice.
    private func offset(_ offset: Int, inLiteral node: Int, _ text: String) -> Int {
        let start = nodes[node].range.lowerBound
        guard source[start] == UInt8(ascii: "'") else {
            return start
        }
        return start + 1 + offset + text.utf8.prefix(offset).count { $0 == UInt8(ascii: "'") }
    }
}
