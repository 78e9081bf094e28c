import JSONText
import OfflineStore
import Platform
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
            let (key, bytes) = (try arguments.keyName(), try arguments.valueBytes())
            try UndoneValues.require(in: store, for: key)
            if try arguments.flag("streamed", default: false) {
                try store.set(from: ByteSource(bytes), for: key)
            } else if let text = try arguments.optionalText("value") {
                try store.set(text, for: key)
            } else {
                try store.set(bytes, for: key)
            }
            return true
        },
        .apart("kv.get", writes: false) { (context, arguments) throws(Fault) in
            let (store, key) = (try context.keyValues(arguments), try arguments.keyName())
            let isStreamed = try arguments.flag("streamed", default: false)
            guard let bytes = try isStreamed ? streamed(store.source(for: key)) : store.data(for: key) else {
                return .null
            }
            let base64 = JSONValue.string(Data(bytes).base64EncodedString())
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return ["base64": base64]
            }
            return ["value": .string(text), "base64": base64]
        },
        .apart("kv.size", writes: false) { (context, arguments) throws(Fault) in
            try context.keyValues(arguments).size(of: arguments.keyName()).map { .number(JSONNumber($0)) } ?? .null
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
        .apart("kv.changes", writes: false) { (context, arguments) throws(Fault) in
            let changes = try context.keyValues(arguments).changes()
            return .number(JSONNumber(try context.keep(changes, arguments)))
        },
        .apart("kv.takeChanges", writes: false) { (context, arguments) throws(Fault) in
            switch try context.keyValueChanges(arguments).takeKnown() {
            case nil: []
            case .all?: "all"
            case .keys(let keys)?: .array(keys.map(JSONValue.string))
            }
        },
        .apart("kv.stores", writes: false) { (context, arguments) throws(Fault) in
            let isGlobal = try arguments.flag("isGlobalStore", default: false)
            return .array(context.directory.keyValueStoreNames(global: isGlobal).map(JSONValue.string))
        },
        .apart("kv.removeStore", writes: true) { (context, arguments) throws(Fault) in
            try context.directory.removeKeyValueStore(context.storeName(arguments))
            try context.forgetKeyValueChanges(arguments)
            return true
        },
        .apart("kv.rekey", writes: true) { (context, arguments) throws(Fault) in
            let text = try arguments.text("newKey")
            try context.keyValues(arguments).rekey(to: text.isEmpty ? nil : Key(passphrase: text))
            return true
        },
    ]

    static let capabilities: Set<Capability> = [.keyValue]

    /// All bytes of a source. The length of the buffer is not a multiple of the store's pieces, so that reads cross
    /// their ends.
    private static func streamed(_ source: ByteSource?) throws(Fault) -> [UInt8]? {
        guard let source else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        do throws(SystemError) {
            while case let count = try source.read(into: buffer), count > 0 {
                bytes += buffer[..<count]
            }
        } catch {
            throw Fault(.inputOutput, "the value cannot be read: \(error.reason)")
        }
        return bytes
    }
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
            // Foundation is lenient: it takes superfluous padding and spare bits that are not zero.
            guard let data = Data(base64Encoded: base64), data.base64EncodedString() == base64 else {
                throw Self.wrong("base64", "must be base64")
            }
            return [UInt8](data)
        default:
            throw Fault(.invalidArguments, "give either value or base64, not both")
        }
    }
}
