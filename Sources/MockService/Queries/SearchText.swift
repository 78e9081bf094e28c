/// Reads the part of SOSL that the mock service answers.
struct SearchText {
    struct Returned {
        let type: String
        let fields: [String]
        let limit: Int?
    }

    struct Query {
        let term: String
        let isAllFields: Bool
        let returned: [Returned]
        let limit: Int?
    }

    private let scalars: [Unicode.Scalar]
    private var index = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func parse() throws(MockError) -> Query {
        try expect("find")
        let term = try term()
        var isAllFields = false
        if take("in") {
            isAllFields = take("all")
            if !isAllFields {
                try expect("name")
            }
            try expect("fields")
        }
        try expect("returning")
        var returned = [try self.returned()]
        while take(sign: ",") {
            returned.append(try self.returned())
        }
        let limit = take("limit") ? try number() : nil
        skipBlanks()
        guard index == scalars.count else {
            throw unexpected()
        }
        return Query(term: term, isAllFields: isAllFields, returned: returned, limit: limit)
    }

    private mutating func returned() throws(MockError) -> Returned {
        let type = try word()
        var fields: [String] = []
        var limit: Int?
        if take(sign: "(") {
            repeat {
                fields.append(try word())
            } while take(sign: ",")
            limit = take("limit") ? try number() : nil
            guard take(sign: ")") else {
                throw unexpected()
            }
        }
        return Returned(type: type, fields: fields, limit: limit)
    }

    /// The term between braces, without its backslashes.
    private mutating func term() throws(MockError) -> String {
        guard take(sign: "{") else {
            throw unexpected()
        }
        var term = String.UnicodeScalarView()
        while index < scalars.count, scalars[index] != "}" {
            index += scalars[index] == "\\" ? 1 : 0
            guard index < scalars.count else { break }
            term.append(scalars[index])
            index += 1
        }
        guard index < scalars.count, !term.isEmpty else {
            throw unexpected()
        }
        index += 1
        return String(term)
    }

    // MARK: - Words and signs

    private mutating func skipBlanks() {
        while index < scalars.count, scalars[index].value <= 0x20 {
            index += 1
        }
    }

    private mutating func word() throws(MockError) -> String {
        skipBlanks()
        let rest = scalars[index...].prefix {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_")
        }
        guard !rest.isEmpty else {
            throw unexpected()
        }
        index = rest.endIndex
        var text = String.UnicodeScalarView()
        text.append(contentsOf: rest)
        return String(text)
    }

    private mutating func take(_ word: String) -> Bool {
        let start = index
        if let found = try? self.word(), ASCIICase.lower(found) == word {
            return true
        }
        index = start
        return false
    }

    private mutating func take(sign: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard index < scalars.count, scalars[index] == sign else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ word: String) throws(MockError) {
        guard take(word) else {
            throw unexpected()
        }
    }

    private mutating func number() throws(MockError) -> Int {
        guard let number = Int(try word()) else {
            throw unexpected()
        }
        return number
    }

    private func unexpected() -> MockError {
        let offset = scalars[..<index].reduce(0) { $0 + UTF8.width($1) }
        return MockError(400, "MALFORMED_SEARCH", "unexpected character or end of the search at offset \(offset)")
    }
}
