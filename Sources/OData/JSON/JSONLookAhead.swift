import JSONText
import Soups

/// Decides whether the elements of `value` can be read before the context URL is known.
///
/// The context URL may follow `value`, and says whether that has entities, the members of a service document or links.
/// Elements that may be something else than entities are first passed over, while their bytes are kept. The body is
/// read again from its start as soon as the context URL, an element that can only be an entity, or the end of the body
/// decides.
struct JSONLookAhead {
    /// Whether elements are passed over.
    private(set) var isActive = false
    /// Whether all elements that were passed over were kept until the context URL could decide.
    private var isComplete = true
    private var isOver = false

    /// The number of bytes that are kept. A service document is far smaller; feeds must not be held in memory.
    private static let maximumBytes = 1 << 20

    /// Begins, unless the body is being read again.
    mutating func begin() { isActive = !isOver }

    mutating func end() {
        isActive = false
        isOver = true
    }

    /// Whether an element that ends at an offset may be passed over too.
    mutating func goesOn(to end: Int) -> Bool {
        isComplete = end <= Self.maximumBytes
        return isComplete
    }

    /// Whether an element may be a member of a service document or a link: it has a `url`, and nothing else but what
    /// describes one and control information.
    static func mayBeOther(_ node: JSONNode) -> Bool {
        guard node.kind == .object else { return false }
        var hasURL = false
        for member in node.members {
            let name = member.name
            if name == "url", member.value.kind == .string {
                hasURL = true
            } else if !(name == "name" || name == "title" || name == "kind"), !isControl(name) {
                return false
            }
        }
        return hasURL
    }

    private static func isControl(_ name: JSONStringText) -> Bool {
        name.writtenBytes.contains(UInt8(ascii: "@")) || name.writtenBytes.starts(with: "odata.".utf8)
    }

    /// The fault of a context URL that follows elements which were read as entities, although they are not.
    func fault(at offset: Int) -> Fault {
        guard isComplete else {
            return Fault(
                .limitExceeded,
                "the context URL follows more than \(Self.maximumBytes) bytes of elements that are not entities; "
                    + "it must come first in such a body", offset: offset)
        }
        return Fault(
            .invalidJSON, "the elements before the context URL are entities, but it says that they are not",
            offset: offset)
    }
}
