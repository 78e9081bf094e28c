import JSONText
import OData
import Soups

/// The calls of OData. Each engine adds its rows here, and its capabilities to the list below.
enum ODataCalls {
    static let all: [CallHandler] = []

    /// What the rows above can do; empty while there are none.
    static let capabilities: Set<Capability> = []
}
