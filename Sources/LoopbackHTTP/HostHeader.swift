/// Checks whom a request is meant for.
///
/// A page in a browser may reach this machine under a name that its server made point to 127.0.0.1. Such a request has
/// that name in its header `Host`; every other one has `localhost` or an address.
enum HostHeader {
    static func check(_ head: HTTPHead, isRequired: Bool) throws(HTTPRefusal) {
        let hosts = head.values("host")
        guard hosts.count <= 1, !hosts.isEmpty || !isRequired else {
            throw HTTPRefusal(400, "the header Host must be there once")
        }
        guard let host = hosts.first else { return }
        guard isAddress(host) else {
            throw HTTPRefusal(421, "this server is for this machine only; call it 127.0.0.1 or localhost")
        }
    }

    private static func isAddress(_ host: String) -> Bool {
        if host.utf8.first == UInt8(ascii: "[") {
            return true
        }
        let name = host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)[0].lowercased()
        let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return name == "localhost" || name.isEmpty
            || parts.count == 4 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }
    }
}
