import JSONText
import OData
import Soups

/// The OData calls. Each family adds its calls here and its capabilities below.
enum ODataCalls {
    static let all: [CallHandler] = ODataExpressionCalls.all + ODataPayloadCalls.all

    /// The capabilities of these calls.
    static let capabilities: Set<Capability> = ODataExpressionCalls.capabilities.union(ODataPayloadCalls.capabilities)
}
