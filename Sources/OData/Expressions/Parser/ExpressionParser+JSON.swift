import JSONText
import Soups

/// Arrays and objects in JSON notation, whose members may be expressions: `["a",Name]`, `{"City":'x',"Sizes":[1,2 add
/// 3]}`.
extension ExpressionParser {
    mutating func json() throws(Fault) -> Int32 {
        try enter()
        let node = lexer.next == UInt8(ascii: "[") ? try array() : try object()
        leave()
        return node
    }

    private mutating func array() throws(Fault) -> Int32 {
        let start = lexer.position
        lexer.position += 1
        lexer.skipBlanks()
        var first: Int32 = -1
        var last: Int32 = -1
        if !lexer.eat(UInt8(ascii: "]")) {
            repeat {
                lexer.skipBlanks()
                let element = try value()
                if last < 0 {
                    first = element
                } else {
                    nodes[Int(last)].next = element
                }
                last = element
                lexer.skipBlanks()
            } while lexer.eat(UInt8(ascii: ","))
            try lexer.expect(UInt8(ascii: "]"))
        }
        return try add(ExpressionNode(.array, first: first, start: start, end: lexer.position))
    }

    private mutating func object() throws(Fault) -> Int32 {
        let start = lexer.position
        lexer.position += 1
        lexer.skipBlanks()
        var first: Int32 = -1
        var last: Int32 = -1
        var names: Set<ByteKey> = []
        if !lexer.eat(UInt8(ascii: "}")) {
            repeat {
                lexer.skipBlanks()
                let offset = lexer.position
                guard lexer.next == UInt8(ascii: "\"") else {
                    throw lexer.unexpected("expected a member name")
                }
                try skipQuoted()
                let end = lexer.position
                guard names.insert(ByteKey(String(bytes: lexer.slice(offset, end)))).inserted else {
                    throw Fault(.syntax, "duplicate member name", offset: offset)
                }
                lexer.skipBlanks()
                try lexer.expect(UInt8(ascii: ":"))
                lexer.skipBlanks()
                let element = try value()
                let member = try add(ExpressionNode(.member, first: element, start: offset, end: end))
                if last < 0 {
                    first = member
                } else {
                    nodes[Int(last)].next = member
                }
                last = member
                lexer.skipBlanks()
            } while lexer.eat(UInt8(ascii: ","))
            try lexer.expect(UInt8(ascii: "}"))
        }
        return try add(ExpressionNode(.object, first: first, start: start, end: lexer.position))
    }

    private mutating func value() throws(Fault) -> Int32 {
        guard lexer.next == UInt8(ascii: "\"") else {
            return try expression()
        }
        let start = lexer.position
        try skipQuoted()
        return try literal(.jsonString, from: start)
    }

    /// Skips a string in double quotes and checks its escapes.
    private mutating func skipQuoted() throws(Fault) {
        let start = lexer.position
        lexer.position += 1
        while !lexer.isAtEnd, lexer.next != UInt8(ascii: "\"") {
            lexer.position += lexer.next == UInt8(ascii: "\\") ? 2 : 1
        }
        guard lexer.position < lexer.bytes.count else {
            lexer.position = lexer.bytes.count
            throw lexer.unexpected("unterminated string")
        }
        lexer.position += 1
        do throws(JSONError) {
            _ = try JSONValue(parsing: UnsafeRawBufferPointer(lexer.slice(start, lexer.position)))
        } catch {
            throw Fault(.syntax, "invalid JSON string", offset: start + error.offset)
        }
    }
}
