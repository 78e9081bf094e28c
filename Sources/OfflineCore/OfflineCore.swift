// What an app needs of the store, by name: this file is the public interface of the product `OfflineCore`.
//
// The list of everything that these types offer is docs/api/OfflineCore.txt, which `ci/test` compares. Connections,
// statements and the SQL of queries stay inside the package.

@_exported public import struct JSONText.ByteSource
@_exported public import struct JSONText.JSONNumber
@_exported public import struct JSONText.JSONObject
@_exported public import enum JSONText.JSONValue
@_exported public import struct OfflineStore.AlterationProgress
@_exported public import enum OfflineStore.AlterationStep
@_exported public import struct OfflineStore.CursorPages
@_exported public import struct OfflineStore.EntryList
@_exported public import struct OfflineStore.LoadProgress
@_exported public import struct OfflineStore.QueryPlan
@_exported public import class OfflineStore.SmartStore
@_exported public import enum OfflineStore.StoreCell
@_exported public import struct OfflineStore.StoreClock
@_exported public import struct OfflineStore.StoreConfiguration
@_exported public import struct OfflineStore.StoreConfigurationResult
@_exported public import struct OfflineStore.StoreCounters
@_exported public import class OfflineStore.StoreCursor
@_exported public import class OfflineStore.StoreDirectory
@_exported public import struct OfflineStore.StoreEvent
@_exported public import struct OfflineStore.StoreOptions
@_exported public import struct OfflineStore.StorePage
@_exported public import struct SQLiteAccess.Capabilities
@_exported public import struct SQLiteAccess.CipherSettings
@_exported public import enum SQLiteAccess.ConnectionAccess
@_exported public import struct SQLiteAccess.ConnectionSettings
@_exported public import class SQLiteAccess.Key
@_exported public import class SQLiteAccess.SQLiteLibrary
@_exported public import struct SQLiteAccess.StatementCounters
@_exported public import struct Soups.Fault
@_exported public import enum Soups.FullTextVersion
@_exported public import struct Soups.IndexSpec
@_exported public import enum Soups.IndexType
@_exported public import struct Soups.QuerySpec
@_exported public import struct Soups.RegisteredSoup
@_exported public import enum Soups.SQLValue
@_exported public import enum Soups.SortOrder
@_exported public import enum Soups.SoupFeature
@_exported public import struct Soups.SoupSpec
