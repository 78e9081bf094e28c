import Foundation

/// Reads documents with JSONSerialization for `soup bench`, which does without the large Foundation: the peer of its
/// `json-peer` cells.
///
/// Input: JSON lines {"shape": name, "documents": n, "seed": decimal digits, "times": n}. Output: {"values": v,
/// "bytes": b}: how many values of the shape's paths were found, and how many bytes of text they have, in the last
/// round; or {"fault": message}.
enum Serve {
    static func run() throws {
        var known: (key: String, documents: [Data], shape: JSONShape)?
        while let line = readLine() {
            guard let request = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let name = request["shape"] as? String, let count = request["documents"] as? Int,
                let digits = request["seed"] as? String, let seed = UInt64(digits),
                let times = request["times"] as? Int,
                let shape = JSONShape.all.first(where: { $0.name == name })
            else {
                answer(["fault": "the request names no shape, documents, seed and times"])
                continue
            }
            let key = "\(name) \(count) \(digits)"
            if known?.key != key {
                known = (key, shape.documents(count, seed: seed).map { Data($0) }, shape)
            }
            guard let known else { continue }
            var found = (values: 0, bytes: 0)
            for _ in 0..<times {
                found = (0, 0)
                for document in known.documents {
                    let tree = try JSONSerialization.jsonObject(with: document)
                    for path in shape.paths {
                        guard let text = text(at: path.split(separator: ".")[...], in: tree) else {
                            continue
                        }
                        found.values += 1
                        found.bytes += text.utf8.count
                    }
                }
            }
            answer(["values": found.values, "bytes": found.bytes])
        }
    }

    private static func text(at path: ArraySlice<Substring>, in value: Any) -> String? {
        guard let name = path.first else {
            return value as? String ?? (value as? NSNumber)?.stringValue
        }
        return (value as? [String: Any])?[String(name)].flatMap { text(at: path.dropFirst(), in: $0) }
    }

    private static func answer(_ object: [String: Any]) {
        guard let data = try? JSONSerialization.data(withJSONObject: object) else { return }
        FileHandle.standardOutput.write(data + [0x0A])
    }
}
