@_exported public import JSONText
@_exported public import OfflineStore
@_exported public import SQLiteAccess
@_exported public import SmartSQL
@_exported public import Soups
