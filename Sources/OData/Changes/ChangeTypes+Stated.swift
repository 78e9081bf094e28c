import JSONText
import Soups

/// Values whose types the caller states, because no model declares them.
extension ChangeTypes {
    /// The properties of an entity without a model: of the stated types, others as they are.
    func untypedMembers(_ properties: JSONObject) throws(Fault) -> [ChangeValue.Member] {
        var members: [ChangeValue.Member] = []
        for (name, value) in properties.members {
            guard let type = stated[ByteKey(name)] else {
                members.append(.init(name: name, value: .untyped(value)))
                continue
            }
            members.append(.init(name: name, value: try self.value(value, stated: type, path: ValuePath(name))))
        }
        return members
    }

    /// A value of a type that is written with it.
    func value(_ value: JSONValue, stated type: String, path: ValuePath) throws(Fault) -> ChangeValue {
        if value.isNull {
            return .null
        }
        let type = StatedType(type).text
        switch try self.value(value, as: EdmTypeReference(text: type), path: path) {
        case .untyped(.object(let object)):
            return .complex(
                type: type, isDerived: true,
                members: object.members.map { .init(name: $0.name, value: .untyped($0.value)) })
        case .complex(let type, _, let members): return .complex(type: type, isDerived: true, members: members)
        case let read: return .stated(type, read)
        }
    }
}
