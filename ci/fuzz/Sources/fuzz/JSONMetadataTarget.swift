import OData
import ODataShapes
import Soups

/// Reads an input as metadata in JSON: a model that can be shown, or a fault inside the text.
enum JSONMetadataTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let bytes = [UInt8](input)
        do throws(Fault) {
            let model = try EdmModel(csdl: bytes)
            _ = model.json.text()
            for set in model.schemas.flatMap(\.containers).flatMap(\.entitySets) {
                _ = model.properties(of: set.entityType)
                _ = model.key(of: set.entityType)
            }
        } catch {
            precondition((error.offset ?? 0) <= bytes.count, "a fault outside of the text")
        }
    }
}
