// What an app needs of other targets to call this one, by name: this file is part of the public interface of the
// product `OfflineOData`. The store itself is the product `OfflineCore`.

@_exported public import struct JSONText.JSONNumber
@_exported public import struct JSONText.JSONObject
@_exported public import enum JSONText.JSONValue
@_exported public import struct LocalChanges.OutboxRow
@_exported public import struct LocalChanges.UUIDSource
@_exported public import struct Soups.Fault
