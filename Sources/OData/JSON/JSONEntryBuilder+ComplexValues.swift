import JSONText
import Soups

extension JSONEntryBuilder {
    /// Reads a complex value of a type of the model, member by member.
    mutating func complex(
        _ node: JSONNode, type declared: String?, _ checker: PayloadTypes
    ) throws(Fault) -> ODataValue {
        var stated: String?
        for member in node.members {
            if case .control(.type) = meaning(of: member.name), !member.value.isNull {
                stated = try statedType(member.value).text
            }
            if case .control(.verboseMetadata) = meaning(of: member.name), let type = member.value["type"] {
                stated = try statedType(type).text
            }
        }
        let type = try checker.effectiveType(stated: stated, expected: declared, at: node.offset)
        let types = try statedTypes(ofMembers: node)
        var members: [ODataValue.Member] = []
        for member in node.members {
            guard case .plain(let name) = meaning(of: member.name) else { continue }
            let stated = types.isEmpty ? nil : types[name]?.type
            let declaration: PayloadTypes.Declaration
            do throws(Fault) { declaration = try checker.declaration(of: name, in: type) } catch {
                throw error.shifted(to: member.value.offset)
            }
            var declared: EdmTypeReference?
            switch declaration {
            case .property(let property): declared = property.type
            // A related entity is a part of the complex value, which is not an entity that could have it.
            case .navigation(let navigation): declared = navigation.type
            case .dynamic, .unknownType: break
            }
            members.append(.init(name, try value(member.value, stated: stated, declared: declared)))
        }
        return .complex(members)
    }

    /// Reads a complex value without a known type. Its members may have types in control information. Control
    /// information and annotations do not become members.
    ///
    /// - Parameter isChecked: Whether objects inside are read by the types that they state. Those of annotations are
    ///   not, because an annotation is never an error.
    mutating func complex(_ node: JSONNode, isChecked: Bool = false) throws(Fault) -> ODataValue {
        let stated = try statedTypes(ofMembers: node)
        var members: [ODataValue.Member] = []
        for member in node.members {
            guard case .plain(let name) = meaning(of: member.name) else { continue }
            if format == .verbose, member.value["__deferred"] != nil {
                continue
            }
            guard let type = stated[name]?.type else {
                let inner = isChecked ? try undeclared(member.value) : try untyped(member.value)
                members.append(.init(name, inner))
                continue
            }
            members.append(.init(name, try value(member.value, stated: type, declared: nil)))
        }
        return .complex(members)
    }

    /// The types that control information gives to members of an object.
    private mutating func statedTypes(ofMembers node: JSONNode) throws(Fault) -> PropertyInfos {
        var stated = PropertyInfos()
        for member in node.members where Self.mayBePropertyControl(member.name) {
            guard case .propertyControl(let name, .type) = meaning(of: member.name), !member.value.isNull else {
                continue
            }
            let position = stated.position(adding: name)
            if stated[at: position].type == nil {
                stated[at: position].type = try statedType(member.value)
            }
        }
        return stated
    }
}
