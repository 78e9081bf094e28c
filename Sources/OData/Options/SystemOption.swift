import Soups

/// The system query options and the versions that define them (OData URL Conventions 4.01, section 5; MS-ODATA
/// 2.2.3.6).
package enum SystemOption: String, CaseIterable, Sendable {
    case filter, orderby, select, expand, compute, apply, search, top, skip, count, inlinecount, skiptoken, deltatoken,
        format, id, index, levels
    case schemaversion

    func isKnown(in version: ODataVersion) -> Bool {
        switch self {
        case .filter, .orderby, .top, .skip, .expand: true
        case .format, .skiptoken, .select: version >= .v2
        case .inlinecount: version == .v2 || version == .v3
        case .count, .search, .deltatoken, .id, .apply, .levels: version.isV4
        case .compute, .index, .schemaversion: version == .v401
        }
    }

    static func find(_ name: UnsafeBufferPointer<UInt8>, ignoringCase: Bool) -> SystemOption? {
        allCases.first { option in
            let text = option.rawValue.utf8
            guard text.count == name.count else { return false }
            return zip(text, name).allSatisfy { $0 == $1 || (ignoringCase && $0 == $1 | 0x20) }
        }
    }
}

extension OptionParser {
    /// Parses the value of an option at the position and stores it in `options`.
    mutating func read(_ option: SystemOption, into options: inout QueryOptions) throws(Fault) {
        switch option {
        case .filter: options.filter = try expression()
        case .orderby: options.orderBy = try orderBy()
        case .select: options.select = try select()
        case .expand: options.expand = try expand()
        case .compute: options.compute = try compute()
        case .apply: options.apply = try apply()
        case .search: options.search = try search()
        case .top: options.top = try digits()
        case .skip: options.skip = try digits()
        case .index: options.index = try digits(allowingSign: true)
        case .count: options.count = try truth()
        case .inlinecount: options.inlineCount = try allPages()
        case .skiptoken: options.skipToken = try rest()
        case .deltatoken: options.deltaToken = try rest()
        case .id: options.id = try rest()
        case .schemaversion: options.schemaVersion = try schemaVersion()
        case .format: options.format = try format()
        case .levels: throw lexer.unexpected("$levels is only allowed in an item of $expand")
        }
    }

    private mutating func allPages() throws(Fault) -> Bool {
        let name = lexer.endOfName().map { String(bytes: lexer.slice(lexer.position, $0)) }
        guard let name, name == "allpages" || name == "none" else {
            throw lexer.unexpected("expected 'allpages' or 'none'")
        }
        lexer.position += name.utf8.count
        return name == "allpages"
    }

    /// Reads the rest of the text, which must not be empty, as an opaque value.
    private mutating func rest() throws(Fault) -> String {
        guard !lexer.isAtEnd else {
            throw lexer.unexpected("the option has no value")
        }
        let text = String(bytes: lexer.slice(lexer.position, lexer.bytes.count))
        lexer.position = lexer.bytes.count
        return text
    }

    /// Reads `*` or the version of a schema, which has letters, digits and `-._~`.
    private mutating func schemaVersion() throws(Fault) -> String {
        let start = lexer.position
        let text = try rest()
        if !text.hasBytes(of: "*"), let flaw = text.utf8.enumerated().first(where: { !$0.element.isUnreserved }) {
            throw Fault(.syntax, "a version of a schema must not have this character", offset: start + flaw.offset)
        }
        return text
    }

    /// Reads the short name of a format, or a media type.
    private mutating func format() throws(Fault) -> String {
        let start = lexer.position
        let text = try rest()
        let names = ["atom", "json", "xml"] + (version == .v3 ? ["verbosejson"] : [])
        if names.contains(where: { $0.utf8.elementsEqual(text.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }) }) {
            return text
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw Fault(.syntax, "expected a format such as 'json', or a media type", offset: start)
        }
        return text
    }
}
