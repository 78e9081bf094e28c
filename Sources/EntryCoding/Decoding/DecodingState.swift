import JSONText
import Soups

/// The text that is being decoded, and what its containers share.
final class DecodingState {
    let options: CodingOptions
    let namesAreWritten: Bool
    private let tape = JSONTape()
    private let strictTape = JSONTape(options: JSONOptions(refusesDuplicateNames: true))
    /// Counts the texts: nodes of an earlier one are no longer valid.
    @exclusivity(unchecked) private(set) var generation = 0
    /// How many calls are under way: a type may decode another text inside its own decoding, with a decoder of its own.
    @exclusivity(unchecked) private var isDecoding = false
    /// For each object, by its position, where the member after the one found last begins.
    @exclusivity(unchecked) private var hints: [UInt32] = []
    /// Whether an object has two members of one name, so that the last one has to be looked for.
    @exclusivity(unchecked) private var hasDuplicates = false
    /// The members of objects by their names, where some occur twice.
    private var lastMembers: [Int: [ByteKey: Int]] = [:]
    /// The members of objects by the names of the properties that they stand for, where names are converted.
    private var readMembers: [Int: [ByteKey: Int]] = [:]
    /// For nodes on the path to an error, the positions of their children, and the names of members.
    private var childPositions: [Int: [Int]] = [:]
    private var memberNames: [Int: [String]] = [:]
    private var root: JSONNode?

    init(_ options: CodingOptions) {
        self.options = options
        namesAreWritten = options.keys.isAsWritten
    }

    /// Parses a text and decodes its value.
    func decoding<R>(_ text: UnsafeRawBufferPointer, _ body: (NodeDecoder) throws -> R) throws -> R {
        guard !isDecoding else {
            throw Self.corrupted([], "this decoder is decoding another text: use one of its own", offset: nil)
        }
        isDecoding = true
        generation += 1
        defer {
            isDecoding = false
            generation += 1
            root = nil
        }
        return try parse(text).withRoot { node in
            root = node
            hints.removeAll(keepingCapacity: true)
            hints.append(contentsOf: repeatElement(0, count: node.endPosition))
            return try body(NodeDecoder(state: self, node: node, generation: generation))
        }
    }

    private func parse(_ text: UnsafeRawBufferPointer) throws -> JSONTape {
        hasDuplicates = false
        lastMembers = [:]
        readMembers = [:]
        if !childPositions.isEmpty {
            (childPositions, memberNames) = ([:], [:])
        }
        do throws(JSONError) {
            do throws(JSONError) {
                try strictTape.read(text)
                return strictTape
            } catch  where error.code == .duplicateName {
                hasDuplicates = true
                try tape.read(text)
                return tape
            }
        } catch {
            let fault = Fault(.invalidJSON, error.message, offset: error.offset)
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [], debugDescription: "the text is not valid JSON: \(error.message)",
                    underlyingError: fault))
        }
    }

    // MARK: - Members

    /// The member of an object for a key; nil if it has none.
    ///
    /// Types ask for their members in the order in which they were written: the search begins after the one that was
    /// found last, and wraps.
    func find(_ key: some CodingKey, in object: JSONNode) -> JSONNode? {
        guard namesAreWritten else {
            return findRead(key.stringValue, in: object) ?? findWritten(key.stringValue, in: object)
        }
        var name = key.stringValue
        return name.withUTF8 { find(UnsafeRawBufferPointer($0), in: object) }
    }

    /// The member of a dictionary, whose keys are not converted.
    func find(writtenName: String, in object: JSONNode) -> JSONNode? {
        var name = writtenName
        return name.withUTF8 { find(UnsafeRawBufferPointer($0), in: object) }
    }

    private func find(_ name: UnsafeRawBufferPointer, in object: JSONNode) -> JSONNode? {
        if hasDuplicates {
            return findLast(name, in: object)
        }
        let (first, end) = (object.firstPosition, object.endPosition)
        let hint = Int(hints[object.position])
        let start = hint == 0 ? first : hint
        var position = start
        while position < end {
            let member = object.member(at: position)
            let next = member.value.endPosition
            if member.name.hasBytes(name) {
                hints[object.position] = UInt32(next)
                return member.value
            }
            position = next
        }
        position = first
        while position < start {
            let member = object.member(at: position)
            let next = member.value.endPosition
            if member.name.hasBytes(name) {
                hints[object.position] = UInt32(next)
                return member.value
            }
            position = next
        }
        return nil
    }

    /// The last member whose name is read as that of a property: `firstName` and `first_name` both are `firstName`.
    private func findRead(_ property: String, in object: JSONNode) -> JSONNode? {
        if readMembers[object.position] == nil {
            var members: [ByteKey: Int] = [:]
            for member in object.members {
                members[ByteKey(options.keys.read(member.name.string))] = member.value.position
            }
            readMembers[object.position] = members
        }
        return readMembers[object.position]?[ByteKey(property)].map { object.element(at: $0) }
    }

    /// The member that the encoder writes for a property whose name does not come back: `myURLPath` is written as
    /// `my_url_path`, and that is read as `myUrlPath`.
    private func findWritten(_ property: String, in object: JSONNode) -> JSONNode? {
        let name = options.keys.written(property)
        return ByteKey(name) == ByteKey(property) ? nil : find(writtenName: name, in: object)
    }

    /// The last member of that name.
    private func findLast(_ name: UnsafeRawBufferPointer, in object: JSONNode) -> JSONNode? {
        if lastMembers[object.position] == nil {
            var members: [ByteKey: Int] = [:]
            for member in object.members {
                members[ByteKey(member.name.string)] = member.value.position
            }
            lastMembers[object.position] = members
        }
        let key = ByteKey(String(decoding: name, as: UTF8.self))
        return lastMembers[object.position]?[key].map { object.element(at: $0) }
    }

    // MARK: - Errors

    /// The coding path of a node, from the text: nothing is kept while decoding succeeds.
    func path(to target: Int) -> [any CodingKey] {
        guard var node = root else {
            return []
        }
        var path: [any CodingKey] = []
        while node.position != target {
            guard let (key, next) = child(of: node, around: target) else { break }
            path.append(key)
            node = next
        }
        return path
    }

    /// The child of a node that a position is in. An app may catch an error for each of many children, so their
    /// positions are kept from the first one on.
    private func child(of node: JSONNode, around target: Int) -> (any CodingKey, JSONNode)? {
        let positions = childPositions(of: node)
        // The last child that does not begin after the target.
        var (low, high) = (0, positions.count)
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] <= target {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low > 0 else { return nil }
        let child = node.element(at: positions[low - 1])
        guard target < child.endPosition else { return nil }
        guard node.kind == .object else {
            return (PositionKey(index: low - 1), child)
        }
        return (PositionKey(stringValue: options.keys.read(memberNames[node.position]?[low - 1] ?? "")), child)
    }

    private func childPositions(of node: JSONNode) -> [Int] {
        if let known = childPositions[node.position] {
            return known
        }
        var positions: [Int] = []
        if node.kind == .object {
            var names: [String] = []
            for member in node.members {
                names.append(member.name.string)
                positions.append(member.value.position)
            }
            memberNames[node.position] = names
        } else if node.kind == .array {
            positions = node.elements.map(\.position)
        }
        childPositions[node.position] = positions
        return positions
    }

    static func corrupted(_ path: [any CodingKey], _ message: String, offset: Int?) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: path, debugDescription: message,
                underlyingError: Fault(.typeMismatch, message, offset: offset)))
    }
}
