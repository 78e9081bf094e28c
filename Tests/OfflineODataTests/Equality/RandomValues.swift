import TestSupport

/// Draws documents.
enum RandomValues {
    /// The texts of all subjects.
    static let texts = Subject.drawn.flatMap(\.texts)
    /// The numbers of all subjects.
    static let numbers = Subject.drawn.flatMap(\.numbers)

    /// A value as JSON: mostly of what a subject is about.
    static func json(_ random: inout SeededRandom, _ subject: Subject, depth: Int = 0) -> String {
        switch Int.random(in: 0..<30, using: &random) {
        case 0..<20: own(&random, subject)
        case 20, 21: number(&random, numbers)
        case 22, 23: text(&random, texts)
        case 24: "null"
        case 25: "true"
        case 26: "false"
        case 27 where depth < 2: "[" + json(&random, subject, depth: depth + 1) + "]"
        case 28 where depth < 2: "{\"E\":" + json(&random, subject, depth: depth + 1) + "}"
        default: "{}"
        }
    }

    private static func own(_ random: inout SeededRandom, _ subject: Subject) -> String {
        let (texts, numbers) = (subject.texts, subject.numbers)
        let kind = Int.random(in: 0..<8, using: &random)
        if subject == .flags, kind > 3 {
            return kind > 5 ? "true" : "false"
        }
        // A subject of texts has few numbers, one of numbers few texts.
        let isText = numbers.isEmpty || (subject == .spellings || subject == .flags ? kind < 4 : kind == 0)
        return isText ? text(&random, texts) : number(&random, numbers)
    }

    private static func text(_ random: inout SeededRandom, _ texts: [String]) -> String {
        quoted(texts.randomElement(using: &random) ?? "")
    }

    private static func number(_ random: inout SeededRandom, _ numbers: [String]) -> String {
        numbers.randomElement(using: &random) ?? "0"
    }

    /// A text in quotes. Some of its characters are written as escapes, which are the same to a reader.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "M": result += "\\u004d"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A document with some members. Each may be missing, and `D` may be an array of objects or anything.
    static func document(_ random: inout SeededRandom, _ subjects: [String: Subject]) -> String {
        var members: [String] = []
        func value(_ path: String) -> String { json(&random, subjects[path] ?? .words) }
        for name in ["A", "B", "C"] where Int.random(in: 0..<10, using: &random) > 0 {
            members.append("\"\(name)\":" + value(name))
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: break
        case 1: members.append("\"D\":[{\"E\":\(value("D/E"))},{\"E\":\(value("D/E"))}]")
        case 2: members.append("\"D\":" + value("D/E"))
        default: members.append("\"D\":{\"E\":\(value("D/E"))}")
        }
        if Bool.random(using: &random) {
            members.append("\"N\":\"x\\u0000y\",\"X\":[\(value("A")),\(value("B"))]")
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            members.append("\"__local__\":\(Bool.random(using: &random))")
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
