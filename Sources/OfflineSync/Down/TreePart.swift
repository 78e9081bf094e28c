import JSONText
import Soups

/// The parents or the children of trees: their type, their soup, and the fields that are asked for.
struct TreePart: Sendable {
    let objectType: String
    let soup: String
    let id: String
    let modification: String
    /// The fields of queries, with those that every run needs.
    let fields: [String]
    let names: TargetFields

    init(_ reader: DefinitionReader, fields given: [String]) throws(Fault) {
        objectType = try reader.requiredName("sobjectType")
        soup = try reader.required("soupName")
        names = try TargetFields(reader)
        id = names.id
        modification = names.modification
        fields = names.completing(given)
    }

    var json: JSONObject { names.json([]) }
}
