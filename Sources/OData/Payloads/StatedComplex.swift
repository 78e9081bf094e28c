/// A complex value of an Atom payload with the type that its element states.
///
/// `ODataValue` has no room for that type, so until the entry is complete it is a member that no element can be named
/// like.
struct StatedComplex {
    /// The name of the member with the type. It cannot be the name of an XML element.
    static let typeMember = "@type"

    /// The members without the one with the type.
    let members: [ODataValue.Member]
    let type: String?

    /// - Parameter stated: The type that is known from elsewhere.
    init(_ members: [ODataValue.Member], stated: String?) {
        var own: String?
        if let last = members.last, last.name.hasBytes(of: Self.typeMember), case .string(let type) = last.value {
            own = type
        }
        self.members = own == nil ? members : members.dropLast()
        type = stated ?? own
    }

    /// Whether a value may contain a complex value.
    static func mayHaveType(_ value: ODataValue) -> Bool {
        switch value {
        case .complex, .collection: true
        default: false
        }
    }

    /// A value whose complex values have no members with types.
    static func withoutTypes(_ value: ODataValue) -> ODataValue {
        switch value {
        case .complex(let members):
            .complex(
                StatedComplex(members, stated: nil).members.map { member in
                    ODataValue.Member(member.name, withoutTypes(member.value))
                })
        case .collection(let items): .collection(items.map(withoutTypes))
        default: value
        }
    }
}
