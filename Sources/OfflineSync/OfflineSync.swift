// What an app needs of other targets for the record cache and local changes, by name: this file is part of the public
// interface of the product `OfflineSync`. The store itself is the product `OfflineCore`.

@_exported public import struct JSONText.JSONNumber
@_exported public import struct JSONText.JSONObject
@_exported public import enum JSONText.JSONValue
@_exported public import struct LocalChanges.ConflictReport
@_exported public import enum LocalChanges.Doubt
@_exported public import struct LocalChanges.FieldChanges
@_exported public import struct LocalChanges.LocalEdits
@_exported public import struct LocalChanges.LocalFlags
@_exported public import enum LocalChanges.LocalId
@_exported public import struct LocalChanges.MergeChanges
@_exported public import enum LocalChanges.MergeMode
@_exported public import enum LocalChanges.MergeOutcome
@_exported public import struct LocalChanges.Originals
@_exported public import struct LocalChanges.Outbox
@_exported public import struct LocalChanges.OutboxRow
@_exported public import enum LocalChanges.ReservedField
@_exported public import struct LocalChanges.ThreeWayMerge
@_exported public import struct LocalChanges.UUIDSource
@_exported public import struct ServiceTransport.Pair
@_exported public import class ServiceTransport.RefreshingTransport
@_exported public import enum ServiceTransport.Repetition
@_exported public import struct ServiceTransport.ServiceRequest
@_exported public import struct ServiceTransport.ServiceResponse
@_exported public import protocol ServiceTransport.Transport
@_exported public import enum ServiceTransport.TransportFailure
@_exported public import struct Soups.Fault
@_exported public import enum Soups.PercentEncoding
