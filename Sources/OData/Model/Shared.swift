/// An immutable value in an object of its own, so that a copy of its owner counts one reference.
final class Shared<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
