import JSONText

/// A value of a change, read by its declared type and not yet written in a format.
indirect enum ChangeValue {
    case null
    case primitive(ODataValue)
    /// Names of members as they were given, with their number if the type is known.
    case enumeration(type: String, members: String, number: Int64?)
    /// A complex value. A format writes the type if it is not the declared one.
    case complex(type: String, isDerived: Bool, members: [Member])
    /// A collection with the name of the type of its items; empty if no type is known that they have in common.
    case collection(of: String, [ChangeValue])
    /// Related entities that are created or linked with the entity: one, or a collection of them.
    case related([ChangeValue], isCollection: Bool)
    /// A spatial value that was given as GeoJSON.
    case shape(EdmPrimitiveType, JSONValue)
    /// A value whose type is stated, because the model does not declare it.
    case stated(String, ChangeValue)
    /// A value without a declared type, as it was given.
    case untyped(JSONValue)

    struct Member {
        let name: String
        let value: ChangeValue
    }
}

extension ChangeValue: Equatable {
    /// Compares by value: numbers, instants and enumerations whatever their spelling, complex values whatever the order
    /// of their members.
    static func == (a: ChangeValue, b: ChangeValue) -> Bool {
        switch (a, b) {
        case (.null, .null): return true
        case (.primitive(let x), .primitive(let y)): return x == y
        case (.enumeration(let t, let x, let m), .enumeration(let u, let y, let n)):
            return t.hasBytes(of: u) && (x.hasBytes(of: y) || m != nil && m == n)
        case (.complex(let t, _, let x), .complex(let u, _, let y)):
            return t.hasBytes(of: u) && x.count == y.count
                && x.allSatisfy { member in
                    y.contains { $0.name.hasBytes(of: member.name) && $0.value == member.value }
                }
        case (.collection(let t, let x), .collection(let u, let y)): return t.hasBytes(of: u) && x == y
        case (.related(let x, let isMany), .related(let y, let isManyToo)): return isMany == isManyToo && x == y
        case (.untyped(let x), .untyped(let y)): return x == y
        case (.shape(let t, let x), .shape(let u, let y)): return t == u && x == y
        case (.stated(let t, let x), .stated(let u, let y)): return t.hasBytes(of: u) && x == y
        default: return false
        }
    }
}

extension ChangeValue {
    /// A value that was read from a payload, with the type that the payload stated.
    init(_ value: ODataValue, stated: String?) {
        let type = stated.map { StatedType($0).itemName }
        let isStated = stated != nil
        switch value {
        case .null: self = .null
        case .enumeration(let name, let members):
            self = Self.value(.enumeration(type: type ?? name ?? "Edm.String", members: members, number: nil), stated)
        case .complex(let members):
            self = .complex(
                type: type ?? "", isDerived: isStated,
                members: members.map { Member(name: $0.name, value: ChangeValue($0.value, stated: nil)) })
        case .collection(let values):
            let item = type ?? ItemType.common(values)?.rawValue ?? ""
            self = Self.value(.collection(of: item, values.map { ChangeValue($0, stated: nil) }), stated)
        default: self = Self.value(.primitive(value), stated)
        }
    }

    private static func value(_ value: ChangeValue, _ type: String?) -> ChangeValue {
        type.map { .stated($0, value) } ?? value
    }
}
