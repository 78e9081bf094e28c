import SOQL
import Soups
import TestSupport
import Testing

/// Texts of a megabyte that a lexer with recursion, or one that reads twice, does not survive.
@Suite struct HostileTextTests {
    private static let count = 1_000_000

    @Test(arguments: ["(", "'", ")", "()", "''", "order ", "a ", ",", "(' ", #"\'"#, " ", "from ", "select "])
    func `a megabyte is read or refused in linear time`(piece: String) {
        let text = String(repeating: piece, count: Self.count / piece.utf8.count)
        let time = ThreadTime.measure {
            _ = try? SOQLToken.tokens(of: text)
            _ = try? SOQLQuery(text)
            guard let query = try? SOQLQuery("select a" + text + " from b where " + text + "c") else { return }
            _ = query.isSelecting("x")
            _ = query.isAscending(by: "x")
            _ = query.text
        }
        // What is linear takes well under a second, what is quadratic hours.
        #expect(time < .seconds(60), "\(piece)")
    }

    @Test(arguments: [("(", 0), ("'", 0), ("('", 1)])
    func `unclosed marks name their offset`(piece: String, offset: Int) {
        // An odd number, so that a quote is open at the end.
        let text = piece + String(repeating: piece.last == "(" ? "(" : "a", count: Self.count)
        let fault = #expect(throws: Fault.self) { try SOQLToken.tokens(of: text) }
        #expect(fault?.code == .invalidSOQL)
        #expect(fault?.offset == offset)
    }
}
