// What an app needs of other modules to call this one: faults, and JSON values for entities and changes.

@_exported public import struct JSONText.JSONObject
@_exported public import enum JSONText.JSONValue
@_exported public import struct Soups.Fault
