/// The calls about key-value stores.
extension CallSignature {
    static let keyValues: [CallSignature] = [
        CallSignature("kv.set", ["key", "value", "base64", "streamed"], needs: [.keyValue]),
        CallSignature("kv.get", ["key", "streamed"], needs: [.keyValue]),
        CallSignature("kv.size", ["key"], needs: [.keyValue]),
        CallSignature("kv.contains", ["key"], needs: [.keyValue]),
        CallSignature("kv.remove", ["key"], needs: [.keyValue]),
        CallSignature("kv.removeAll", needs: [.keyValue]),
        CallSignature("kv.keys", ["prefix"], needs: [.keyValue]),
        CallSignature("kv.count", needs: [.keyValue]),
        CallSignature("kv.changes", needs: [.keyValue, .observation]),
        CallSignature("kv.takeChanges", ["handle"], needs: [.keyValue, .observation]),
        CallSignature("kv.stores", needs: [.keyValue]),
        CallSignature("kv.removeStore", needs: [.keyValue]),
        CallSignature("kv.rekey", ["newKey"], needs: [.keyValue, .encryption]),
    ]
}
