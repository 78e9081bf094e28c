/// What a model declares for the properties of one entity type, by the numbers of their names.
///
/// The entities of a feed have one type after another, and the same properties. So a name is looked up in the model
/// once, not for each entity. It is emptied when another type comes, or when the reader starts another page of texts.
struct KnownDeclarations {
    private enum Declared {
        /// A single value of a primitive type, or of a type definition with this underlying type.
        case primitive(EdmPrimitiveType)
        /// Anything else, which the model decides each time.
        case other
    }

    private var texts: SharedTexts?
    /// The type that the payload states, and the one that is expected.
    private var stated: Int32 = -1
    private var expected: String?
    /// The type of the entities; nil if nothing is known of it.
    private(set) var type: String?
    private var declared = TextMemo<Declared>()
    /// The primitive types that the payload states, by the numbers of their names.
    private var primitives = TextMemo<Declared>()
    /// The properties that a feed mapping moves to elements of the entry.
    private(set) var mapped: [EdmProperty] = []

    /// Whether this is known of entities with a type in the payload and an expected one.
    func isOf(stated: Int32, expected: String?, _ texts: SharedTexts) -> Bool {
        guard self.texts === texts, self.stated == stated else { return false }
        switch (self.expected, expected) {
        case (nil, nil): return true
        case (let known?, let expected?): return known.hasBytes(of: expected)
        default: return false
        }
    }

    /// Starts with a type.
    mutating func start(
        _ type: String?, stated: Int32, expected: String?, _ texts: SharedTexts, mapped: [EdmProperty]
    ) {
        self = KnownDeclarations()
        self.texts = texts
        self.stated = stated
        self.expected = expected
        self.type = type
        self.mapped = mapped
    }

    /// Whether a value has the primitive type that the model declares for its property, and the payload states no
    /// other. What is known of a name needs nothing of the type, which would be kept and released for each value.
    mutating func isConverted(_ cell: EntryContent.Cell, by types: PayloadTypes) -> Bool {
        guard case .primitive(let wanted) = declared.known(cell.name) ?? declaration(of: cell.name, types) else {
            return false
        }
        if cell.type >= 0 {
            guard case .primitive(wanted) = primitives.known(cell.type) ?? statedPrimitive(cell.type) else {
                return false
            }
        }
        return cell.value.isNullOr(wanted)
    }

    private mutating func declaration(of name: Int32, _ types: PayloadTypes) -> Declared {
        guard let type, let texts else { return .other }
        return declared.value(of: name) {
            types.declaredPrimitive(texts[name], of: type).map(Declared.primitive) ?? .other
        }
    }

    private mutating func statedPrimitive(_ name: Int32) -> Declared {
        guard let texts else { return .other }
        return primitives.value(of: name) {
            let stated = StatedType(texts[name])
            return stated.isCollection ? .other : stated.primitive.map(Declared.primitive) ?? .other
        }
    }
}

extension PackedValue {
    /// Whether the value is null or of a primitive type. False for a value of variable size that is not a string.
    fileprivate func isNullOr(_ type: EdmPrimitiveType) -> Bool {
        switch self {
        case .null: true
        case .text: type == .string
        case .boolean: type == .boolean
        case .byte: type == .byte
        case .sbyte: type == .sbyte
        case .int16: type == .int16
        case .int32: type == .int32
        case .int64: type == .int64
        case .decimal: type == .decimal
        case .double: type == .double
        case .single: type == .single
        case .guid: type == .guid
        case .date: type == .date
        case .dateTime: type == .dateTime
        case .dateTimeOffset: type == .dateTimeOffset
        case .time: type == .time
        case .timeOfDay: type == .timeOfDay
        case .duration: type == .duration
        case .complex, .collection, .other: false
        }
    }
}
