import Soups
import Testing

@testable import OfflineOData

@Suite struct ServiceRootTests {
    @Test func `links of the service are followed byte for byte`() throws {
        let root = try ServiceRoot("https://host.example/svc")
        let target = try root.target(of: "Notes?$skiptoken=a%2Cb+c")
        #expect(target.path == "/svc/Notes")
        #expect(target.query == "$skiptoken=a%2Cb+c")
        #expect(try root.target(of: "HTTPS://Host.Example:443/other?x").path == "/other")
    }

    @Test(arguments: [
        "http://host.example/svc/Notes", "https://host.example:8443/svc/Notes", "//evil.example/x",
        "https://host.example@evil.example/x", "https://user@host.example/x", "https://host.example.evil/x",
    ])
    func `a link to another host is foreign`(_ link: String) throws {
        let root = try ServiceRoot("https://host.example/svc/")
        let fault = #expect(throws: Fault.self) { _ = try root.target(of: link) }
        #expect(fault?.code == .foreignLink)
    }

    @Test func `a service root is a URL without query`() {
        for text in ["", "svc/", "https://host/svc?x", "https://host/a b/"] {
            #expect(throws: Fault.self) { _ = try ServiceRoot(text) }
        }
    }
}
