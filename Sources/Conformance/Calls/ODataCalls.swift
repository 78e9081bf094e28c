import JSONText
import OData
import Soups

/// The calls of OData. Each engine adds its rows here, and its capabilities to the list below.
enum ODataCalls {
    static let all: [CallHandler] = ODataExpressionCalls.all + ODataPayloadCalls.all

    /// What the rows above can do.
    static let capabilities: Set<Capability> = ODataExpressionCalls.capabilities.union(ODataPayloadCalls.capabilities)
}
