/// A member of an object on a tape.
public struct JSONMember: BitwiseCopyable {
    public let name: JSONStringText
    public let value: JSONNode

    @inlinable init(name: JSONStringText, value: JSONNode) {
        self.name = name
        self.value = value
    }
}
