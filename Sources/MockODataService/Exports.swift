// What a user of the mock service needs of other modules: requests, answers, failures, JSON values and faults.

@_exported public import struct JSONText.JSONObject
@_exported public import enum JSONText.JSONValue
@_exported public import struct ServiceTransport.Pair
@_exported public import struct ServiceTransport.ServiceRequest
@_exported public import struct ServiceTransport.ServiceResponse
@_exported public import protocol ServiceTransport.Transport
@_exported public import enum ServiceTransport.TransportFailure
@_exported public import struct Soups.Fault
