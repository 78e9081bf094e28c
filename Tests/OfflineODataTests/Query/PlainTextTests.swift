import JSONText
import Testing

@testable import OfflineOData

/// Which texts of a cell can be nothing but a text.
@Suite struct PlainTextTests {
    private func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { PlainText.isPlain(UnsafeRawBufferPointer($0)) }
    }

    @Test(arguments: [
        "0", "-0", "5", "-5", "12", "1.5", "-1.5", "1e5", "1E5", "1e+5", "1.25e-30", "true", "false", "[", "[1]", "{",
        "{}",
    ])
    func `what JSON writes otherwise is not plain`(text: String) { #expect(!isPlain(text)) }

    @Test(arguments: [
        "", "a", "null", "True", "tru", "truer", "falsey", "-", "5.", ".5", "+5", " 5", "5 ", "1e", "1e+", "1.e5", "5x",
        "2013-01-01", "13:45", "1,5", "3f2504e0", "-INF", "e5",
    ])
    func `what JSON writes for nothing else is plain`(text: String) {
        #expect(isPlain(text))
        #expect((try? JSONValue(parsing: text)).map { $0 == .null || text.contains(" ") } ?? true)
    }
}
