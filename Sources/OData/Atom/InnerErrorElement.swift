import JSONText
import Soups
import XMLText

/// An open element inside `innererror`, whose content is up to the service, as JSON: an element with child elements is
/// an object, any other is a string. Child elements that repeat a name become an array.
struct InnerErrorElement {
    let name: String
    private var members: [(String, JSONValue)] = []
    private var positions: [ByteKey: Int] = [:]
    /// The further values of a repeated name, by the position of its member.
    private var others: [Int: [JSONValue]] = [:]

    init(name: String) { self.name = name }

    mutating func append(_ child: String, _ value: JSONValue) {
        let position = positions[ByteKey(child), default: members.count]
        guard position == members.count else {
            others[position, default: []].append(value)
            return
        }
        positions[ByteKey(child)] = position
        members.append((child, value))
    }

    /// The value of the element, given its text; nil if it has no child elements and the text is only white space.
    func value(text: ArraySlice<UInt8>) -> JSONValue? {
        guard members.isEmpty else {
            var members = members
            for (position, values) in others {
                members[position].1 = .array([members[position].1] + values)
            }
            return .object(JSONObject(members))
        }
        return text.contains { $0 > 0x20 } ? .string(String(decoding: text, as: UTF8.self)) : nil
    }
}

extension AtomReader {
    /// Starts `innererror` or an element in it, in whatever namespace.
    mutating func startInnerError() {
        innerElements.append(InnerErrorElement(name: tokenizer.localName(of: tokenizer.name)))
        push(.innerError)
        collectsText = true
    }

    mutating func endInnerError(_ frame: Frame) {
        guard let element = innerElements.popLast() else { return }
        let value = element.value(text: text[frame.textStart...])
        text.removeSubrange(frame.textStart...)
        if innerElements.isEmpty {
            result.error.innerError = value ?? .object(JSONObject())
        } else {
            innerElements[innerElements.count - 1].append(element.name, value ?? "")
        }
    }
}
