// What the libraries take of Foundation: the only file that imports it. Apple systems have no FoundationEssentials, and
// elsewhere the whole of Foundation would be 44 MB.
#if canImport(FoundationEssentials)
@_exported public import struct FoundationEssentials.Data
@_exported public import struct FoundationEssentials.Date
@_exported public import struct FoundationEssentials.Decimal
@_exported public import class FoundationEssentials.JSONDecoder
@_exported public import class FoundationEssentials.JSONEncoder
@_exported public import protocol FoundationEssentials.LocalizedError
@_exported public import struct FoundationEssentials.URL
@_exported public import struct FoundationEssentials.UUID
#else
@_exported public import protocol Foundation.CustomNSError
@_exported public import struct Foundation.Data
@_exported public import struct Foundation.Date
@_exported public import struct Foundation.Decimal
@_exported public import class Foundation.JSONDecoder
@_exported public import class Foundation.JSONEncoder
@_exported public import protocol Foundation.LocalizedError
@_exported public import struct Foundation.URL
@_exported public import struct Foundation.UUID
#endif
