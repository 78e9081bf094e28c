/// A value behind one reference, so that copying it counts one reference whatever it has inside.
final class Shared<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
