import JSONText

/// A value of a change, read by its declared type and not yet written in a format.
indirect enum ChangeValue {
    case null
    case primitive(ODataValue)
    case enumeration(type: String, members: String)
    /// A complex value. A format writes the type if it is not the declared one.
    case complex(type: String, isDerived: Bool, members: [Member])
    /// A collection with the name of the type of its items.
    case collection(of: String, [ChangeValue])
    /// Related entities that are created or linked with the entity: one, or a collection of them.
    case related([ChangeValue], isCollection: Bool)
    /// A spatial value that was given as GeoJSON.
    case shape(JSONValue)
    /// A value without a declared type, as it was given.
    case untyped(JSONValue)

    struct Member {
        let name: String
        let value: ChangeValue
    }
}

extension ChangeValue: Equatable {
    /// Compares by value: numbers and instants whatever their spelling, complex values whatever the order of their
    /// members.
    static func == (a: ChangeValue, b: ChangeValue) -> Bool {
        switch (a, b) {
        case (.null, .null): return true
        case (.primitive(let x), .primitive(let y)): return x == y
        case (.enumeration(let t, let x), .enumeration(let u, let y)):
            return t.hasBytes(of: u) && x.hasBytes(of: y)
        case (.complex(let t, _, let x), .complex(let u, _, let y)):
            return t.hasBytes(of: u) && x.count == y.count
                && x.allSatisfy { member in
                    y.contains { $0.name.hasBytes(of: member.name) && $0.value == member.value }
                }
        case (.collection(let t, let x), .collection(let u, let y)): return t.hasBytes(of: u) && x == y
        case (.related(let x, let isMany), .related(let y, let isManyToo)): return isMany == isManyToo && x == y
        case (.untyped(let x), .untyped(let y)), (.shape(let x), .shape(let y)): return x == y
        default: return false
        }
    }
}
