// What an app needs of other targets to call this one, by name: this file is part of the public interface of the
// product `OfflineOData`. The store itself is the product `OfflineCore`, and models are those of the product `OData`.

@_exported public import struct JSONText.JSONNumber
@_exported public import struct JSONText.JSONObject
@_exported public import enum JSONText.JSONValue
@_exported public import struct LocalChanges.OutboxRow
@_exported public import struct LocalChanges.UUIDSource
@_exported public import struct ServiceTransport.Pair
@_exported public import class ServiceTransport.RefreshingTransport
@_exported public import enum ServiceTransport.Repetition
@_exported public import struct ServiceTransport.ServiceRequest
@_exported public import struct ServiceTransport.ServiceResponse
@_exported public import protocol ServiceTransport.Transport
@_exported public import enum ServiceTransport.TransportFailure
@_exported public import struct Soups.Fault
