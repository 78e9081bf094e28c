import Soups

/// Checks that a text is a single SELECT: it starts with SELECT, or with WITH definitions and a SELECT, and nothing
/// follows its semicolon.
struct StatementShape {
    private enum State { case start, select, definitions, afterDefinition, finished }
    private var state = State.start
    /// The names that a WITH at the start of the text defines for all of it.
    private(set) var definitions: [Range<Int>] = []

    /// - Parameter depth: The number of open parentheses before the token.
    /// - Throws: `notASelect` with the offset of the unexpected token.
    mutating func read(_ token: SQLToken, depth: Int) throws(Fault) {
        switch state {
        case .start:
            switch token.keyword {
            case .select: state = .select
            case .with: state = .definitions
            default: throw refusal(token)
            }
        case .definitions:
            if depth == 0, token.isName, token.keyword == nil {
                definitions.append(token.start..<token.end)
            }
            if depth == 1, token.kind == .close {
                state = .afterDefinition
            }
            if token.kind == .semicolon {
                throw refusal(token)
            }
        case .afterDefinition:
            // A parenthesis in the WITH list has closed. Next comes AS (it held column names), a comma (another
            // definition), or the statement itself.
            switch (token.kind, token.keyword) {
            case (.comma, _), (_, .as?): state = .definitions
            case (_, .select?): state = .select
            default: throw refusal(token)
            }
        case .select: if token.kind == .semicolon { state = .finished }
        case .finished:
            throw Fault(.notASelect, "more than one statement; Smart SQL must be a single SELECT", offset: token.start)
        }
    }

    func finish(at end: Int) throws(Fault) {
        switch state {
        case .start, .definitions, .afterDefinition:
            throw Fault(
                .notASelect, "SELECT is missing; Smart SQL must be a single SELECT", offset: state == .start ? 0 : end)
        case .select, .finished: break
        }
    }

    private func refusal(_ token: SQLToken) -> Fault {
        Fault(.notASelect, "Smart SQL must be a single SELECT", offset: token.start)
    }
}
