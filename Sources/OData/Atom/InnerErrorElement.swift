import JSONText
import Soups
import XMLText

/// An open element inside `innererror`, whose content is up to the service, as JSON: an element with child elements is
/// an object, any other is a string. Child elements that repeat a name become an array.
struct InnerErrorElement {
    let name: String
    private var names: [String] = []
    private var values: [[JSONValue]] = []
    private var indexes: [ByteKey: Int] = [:]

    init(name: String) { self.name = name }

    mutating func append(_ child: String, _ value: JSONValue) {
        if let index = indexes[ByteKey(child)] {
            values[index].append(value)
        } else {
            indexes[ByteKey(child)] = names.count
            names.append(child)
            values.append([value])
        }
    }

    /// The value of the element, given its text; nil if it has no child elements and the text is only white space.
    func value(text: ArraySlice<UInt8>) -> JSONValue? {
        guard names.isEmpty else {
            return .object(JSONObject(zip(names, values).map { ($0, $1.count == 1 ? $1[0] : .array($1)) }))
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
