/// The path of a value within the properties of an entity. Its text is made when a fault needs it.
struct ValuePath {
    private let owner: String
    private let step: Step

    private enum Step {
        case none
        case member(String)
        case item(Int)
    }

    private init(_ owner: String, _ step: Step) {
        self.owner = owner
        self.step = step
    }

    /// Creates a path from its text; empty for the entity itself.
    init(_ text: String = "") { self.init(text, .none) }

    /// The path of a property of the value.
    func member(_ name: String) -> ValuePath { ValuePath(text, .member(name)) }

    /// The path of an item of the value.
    func item(_ index: Int) -> ValuePath { ValuePath(text, .item(index)) }

    var text: String {
        switch step {
        case .none: owner
        case .member(let name): owner.isEmpty ? name : owner + "/" + name
        case .item(let index): owner + "/\(index)"
        }
    }
}
