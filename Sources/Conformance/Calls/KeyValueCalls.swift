import JSONText
import OfflineStore
import SQLiteAccess
import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The calls about key-value stores. They are never part of a transaction of a store.
enum KeyValueCalls {
    static let all: [CallHandler] = [
        .apart("kv.set", writes: true) { (context, arguments) throws(Fault) in
            let store = try context.keyValues(arguments)
            try store.set(arguments.valueBytes(), for: arguments.keyName())
            return true
        },
        .apart("kv.get", writes: false) { (context, arguments) throws(Fault) in
            guard let bytes = try context.keyValues(arguments).data(for: arguments.keyName()) else {
                return .null
            }
            let base64 = JSONValue.string(Data(bytes).base64EncodedString())
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return ["base64": base64]
            }
            return ["value": .string(text), "base64": base64]
        },
        .apart("kv.contains", writes: false) { (context, arguments) throws(Fault) in
            .bool(try context.keyValues(arguments).contains(arguments.keyName()))
        },
        .apart("kv.remove", writes: true) { (context, arguments) throws(Fault) in
            .bool(try context.keyValues(arguments).remove(arguments.keyName()))
        },
        .apart("kv.removeAll", writes: true) { (context, arguments) throws(Fault) in
            try context.keyValues(arguments).removeAll()
            return true
        },
        .apart("kv.keys", writes: false) { (context, arguments) throws(Fault) in
            let keys = try context.keyValues(arguments).keys(prefix: arguments.optionalText("prefix") ?? "")
            return .array(keys.map(JSONValue.string))
        },
        .apart("kv.count", writes: false) { (context, arguments) throws(Fault) in
            .number(JSONNumber(Int64(try context.keyValues(arguments).count())))
        },
        .apart("kv.stores", writes: false) { (context, arguments) throws(Fault) in
            let isGlobal = try arguments.flag("isGlobalStore", default: false)
            return .array(context.directory.keyValueStoreNames(global: isGlobal).map(JSONValue.string))
        },
        .apart("kv.removeStore", writes: true) { (context, arguments) throws(Fault) in
            try context.directory.removeKeyValueStore(context.storeName(arguments))
            return true
        },
        .apart("kv.rekey", writes: true) { (context, arguments) throws(Fault) in
            let text = try arguments.text("newKey")
            try context.keyValues(arguments).rekey(to: text.isEmpty ? nil : Key(passphrase: text))
            return true
        },
    ]

    static let capabilities: Set<Capability> = [.keyValue]
}

extension CallContext {
    /// The key-value store of a call. It is opened or created if necessary.
    fileprivate func keyValues(_ arguments: CallArguments) throws(Fault) -> KeyValueStore {
        try directory.keyValueStore(storeName(arguments))
    }
}

extension CallArguments {
    /// The key of a value; one that is missing or not a text is `invalidKeyName`.
    fileprivate func keyName() throws(Fault) -> String {
        guard let key = value("key")?.string else {
            throw Fault(.invalidKeyName, "the argument key must be a string")
        }
        return key
    }

    /// The bytes to store: those of a text, or of base64.
    fileprivate func valueBytes() throws(Fault) -> [UInt8] {
        switch (try optionalText("value"), try optionalText("base64")) {
        case (let text?, nil):
            return Array(text.utf8)
        case (nil, let base64?):
            guard let data = Data(base64Encoded: base64) else {
                throw Self.wrong("base64", "must be base64")
            }
            return [UInt8](data)
        default:
            throw Fault(.invalidArguments, "give either value or base64, not both")
        }
    }
}
