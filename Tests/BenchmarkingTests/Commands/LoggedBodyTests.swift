import JSONText
import Testing

@testable import soup

/// What `soup mock --log` keeps of a body.
@Suite struct LoggedBodyTests {
    @Test func `credentials in the parts of a batch are hidden, and the rest is as it was sent`() throws {
        let parts =
            "--b\r\nContent-Type: application/http\r\n\r\nGET A HTTP/1.1\r\nAuthorization: Bearer t0ken\r\nAccept: x\r\n\r\n--b--"
        let logged = LoggedBody.json(Array(parts.utf8)).string ?? ""
        #expect(!logged.contains("t0ken") && logged.contains("Authorization: ...\r\nAccept: x\r\n"))
        let json = #"{"requests":[{"id":"1","headers":{"authorization":"Bearer t0ken","accept":"x"}}]}"#
        #expect(
            LoggedBody.json(Array(json.utf8)) == (try JSONValue(parsing: json.replacing("Bearer t0ken", with: "..."))))
        #expect(LoggedBody.json(Array("a: b".utf8)) == .string("a: b"))
    }
}
