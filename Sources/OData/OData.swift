// What an app needs of other modules to call this one: faults, and JSON values for entities and changes, with the types
// that their interface names.

@_exported public import struct JSONText.JSONError
@_exported public import struct JSONText.JSONNumber
@_exported public import struct JSONText.JSONObject
@_exported public import struct JSONText.JSONOptions
@_exported public import enum JSONText.JSONStyle
@_exported public import enum JSONText.JSONValue
@_exported public import struct Soups.Fault
@_exported public import enum Soups.PercentEncoding
