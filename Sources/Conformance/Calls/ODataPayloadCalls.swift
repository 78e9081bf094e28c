import JSONText
import OData
import Soups

/// The calls about OData payloads and metadata documents.
enum ODataPayloadCalls {
    static let all: [CallHandler] = [
        .reads("odata.parsePayload") { (_, arguments) throws(Fault) in try PayloadCalls.parsePayload(arguments.object)
        },
        .reads("odata.changeRequest") { (_, arguments) throws(Fault) in try ChangeCall.changeRequest(arguments.object)
        },
        .reads("odata.writeEntry") { (_, arguments) throws(Fault) in try ChangeCall.writeEntry(arguments.object) },
        .reads("odata.keyText") { (_, arguments) throws(Fault) in try ChangeCall.keyText(arguments.object) },
        .reads("odata.batchRequest") { (_, arguments) throws(Fault) in try BatchCalls.batchRequest(arguments.object) },
        .reads("odata.parseBatch") { (_, arguments) throws(Fault) in try BatchCalls.parseBatch(arguments.object) },
        .reads("odata.parseMetadata") { (_, arguments) throws(Fault) in try PayloadCalls.parseMetadata(arguments.object)
        },
    ]

    static let capabilities: Set<Capability> = [
        .atom, .verboseJSON, .json, .metadata, .delta, .batch, .jsonBatch, .jsonCSDL,
    ]
}
