import FoundationTypes

/// One value of each kind that both pairs of coders must agree about.
struct Everything: Codable, Equatable {
    enum Plain: String, Codable { case one, two }
    enum Loaded: Codable, Equatable {
        case text(String)
        case pair(a: Int, b: Double?)
        case none
    }
    indirect enum Tree: Codable, Equatable {
        case leaf(Int)
        case node([Tree])
    }
    struct Inner: Codable, Equatable {
        var name: String
        var list: [Int?]
        var deep: [String: [String: Bool]]
    }

    var i = -1
    var i8 = Int8.min
    var i16 = Int16.max
    var i32 = Int32.min
    var i64 = Int64.max
    var u = UInt.max
    var u8 = UInt8.max
    var u16: UInt16 = 1
    var u32 = UInt32.max
    var u64 = UInt64.max
    var float: Float = 0.1
    var double = 1e-300
    var zero = -0.0
    var bool = true
    var text = "a\"\\/\u{8}\u{c}\n\r\t\u{1}\u{e9}\u{1F600}\u{2028}"
    var absent: Int?
    var present: Int? = 3
    var plain = Plain.two
    var loaded: [Loaded] = [.text("x"), .pair(a: 1, b: nil), .none]
    var tree = Tree.node([.leaf(1), .node([])])
    var inner = Inner(name: "", list: [1, nil, 3], deep: ["a": ["b": true], "": [:]])
    var strings = ["", "a", "\u{0}"]
    var set: Set<Int> = [1]
    var byInt: [Int: String] = [1: "a", -5: "b"]
    var date = Date(timeIntervalSinceReferenceDate: 123.25)
    var data = Data([0, 1, 255])
    var url: URL? = URL(string: "https://example.org/a?b=c")
    var uuid: UUID? = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var decimal = Decimal(string: "12345678901234567890.123456789")!
    var nested: [[[Int]]] = [[], [[1], []]]
}

class Animal: Codable {
    var name: String
    init(name: String) { self.name = name }
}

final class Dog: Animal {
    var age: Int

    private enum CodingKeys: String, CodingKey { case age }

    init(name: String, age: Int) {
        self.age = age
        super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        age = try container.decode(Int.self, forKey: .age)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try super.encode(to: container.superEncoder())
        try container.encode(age, forKey: .age)
    }
}

/// Goes back to a parent after its child, and fills two children in turn.
struct OutOfTurn: Codable, Equatable {
    var first: [Int]
    var second: [String: Int]
    var last: Int

    enum CodingKeys: CodingKey { case first, second, last }
    enum Names: CodingKey { case a, b }

    init(first: [Int], second: [String: Int], last: Int) {
        (self.first, self.second, self.last) = (first, second, last)
    }

    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: CodingKeys.self)
        last = try outer.decode(Int.self, forKey: .last)
        second = try outer.decode([String: Int].self, forKey: .second)
        var list = try outer.nestedUnkeyedContainer(forKey: .first)
        first = []
        while !list.isAtEnd {
            first.append(try list.decode(Int.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: CodingKeys.self)
        var list = outer.nestedUnkeyedContainer(forKey: .first)
        var names = outer.nestedContainer(keyedBy: Names.self, forKey: .second)
        try outer.encode(last, forKey: .last)
        for (index, value) in first.enumerated() {
            try list.encode(value)
            if index == 0 {
                try names.encode(second["a"] ?? 0, forKey: .a)
            }
        }
        try names.encode(second["b"] ?? 0, forKey: .b)
    }
}
