import Foundation
import JSONText

/// What is measured on a corpus; the first is the base of the ratios.
struct Works {
    struct Work {
        let name: String
        /// How often the body goes over the corpus.
        let rounds: Int
        let body: () -> Void
    }

    let all: [Work]

    init(_ corpus: Corpus) {
        let documents = corpus.documents
        let array = corpus.array
        let datas = documents.map { Data($0) }
        let scanner = EntryScanner(paths: corpus.paths)
        let projection = JSONProjection(paths: JSONPathSet(corpus.paths))
        let tape = JSONTape()
        let lines = Array(documents.joined(separator: [0x0A]))
        let count = corpus.paths.count
        let works = [
            Work(name: "JSONSerialization", rounds: 1) {
                for data in datas {
                    keep(try? JSONSerialization.jsonObject(with: data))
                }
            },
            Work(name: "JSONDecoder", rounds: 1) {
                let decoder = JSONDecoder()
                for data in datas {
                    keep(try? decoder.decode([String: Anything].self, from: data))
                }
            },
            Work(name: "check", rounds: 20) {
                for _ in 0..<20 {
                    for document in documents {
                        document.withUnsafeBytes { try? JSONSyntax.check($0) }
                    }
                }
            },
            Work(name: "check, names once", rounds: 20) {
                for _ in 0..<20 {
                    for document in documents {
                        document.withUnsafeBytes {
                            try? JSONSyntax.check($0, options: JSONOptions(refusesDuplicateNames: true))
                        }
                    }
                }
            },
            Work(name: "projection", rounds: 20) {
                for _ in 0..<20 {
                    for document in documents {
                        document.withUnsafeBytes { try? projection.read($0) }
                    }
                }
            },
            Work(name: "entry scan", rounds: 20) {
                for _ in 0..<20 {
                    for document in documents {
                        document.withUnsafeBytes { try? scanner.scan($0) }
                    }
                }
            },
            Work(name: "entry scan, texts, store", rounds: 20) {
                var stored: [UInt8] = []
                for _ in 0..<20 {
                    for document in documents {
                        document.withUnsafeBytes { bytes in
                            try? scanner.scan(bytes)
                            for path in 0..<count {
                                keep(scanner.values.text(of: path)?.count)
                            }
                            stored.removeAll(keepingCapacity: true)
                            scanner.appendStored(id: 7, lastModified: 1_600_000_000_000, to: &stored)
                        }
                    }
                }
            },
            Work(name: "tape, whole array", rounds: 20) {
                for _ in 0..<20 {
                    array.withUnsafeBytes { try? tape.read($0) }
                }
            },
            Work(name: "check, whole array", rounds: 20) {
                for _ in 0..<20 {
                    array.withUnsafeBytes { try? JSONSyntax.check($0) }
                }
            },
            Work(name: "tree", rounds: 1) {
                for document in documents {
                    keep(try? JSONValue(parsing: document))
                }
            },
            Work(name: "lines", rounds: 5) {
                for _ in 0..<5 {
                    let reader = JSONLines(ByteSource(lines))
                    while (try? reader.advance()) == true {
                        reader.withLine { keep($0.count) }
                    }
                }
            },
        ]
        // Trying each level as this and that doubles JSONDecoder's work level by level: on deep documents it would
        // never end.
        all = works.filter { corpus.name != "deep" || $0.name != "JSONDecoder" }
    }
}

/// Any JSON value, the way JSONDecoder gives it.
enum Anything: Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([Anything])
    case object([String: Anything])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(
            Double.self)
        {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode(
            [Anything].self)
        {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: Anything].self))
        }
    }
}

@inline(never) func keep<Value>(_ value: Value) { withExtendedLifetime(value) {} }
