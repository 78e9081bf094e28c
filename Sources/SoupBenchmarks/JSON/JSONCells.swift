import Benchmarking
import JSONText
import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads JSON with this package's readers and with JSONDecoder: checking, finding values at paths, files with a
/// document in each line.
///
/// (JSONSerialization is part of the large Foundation, which this program does not link: see `JSONPeerCells`.)
enum JSONCells: CellSource {
    private static let ours: Arm = "ours"
    private static let decoder: Arm = "decoder"
    private static let count = 200

    static func cells(_ scope: CellScope) -> [Cell] {
        // These documents are generated; those of a user are measured in the store's cells.
        guard scope.documents == nil else {
            return []
        }
        return JSONShape.all.map(projection) + JSONShape.all.map(check) + [lines]
    }

    private static func projection(_ shape: JSONShape) -> Cell {
        Cell(
            "json-projection", ["shape": shape.name, "paths": String(shape.paths.count)], revision: 1,
            summary:
                "finds the values of index paths in \(count) documents of about 1 KB and writes what would be stored",
            arms: [ours, decoder],
            comparisons: [.init(ours, decoder)], primary: .cpu
        ) { arm, workplace in
            let documents = shape.documents(count, seed: workplace.seed)
            if arm.work == decoder {
                return decoding(documents, shape)
            }
            let scanner = EntryScanner(paths: shape.paths)
            var stored: [UInt8] = []
            var found: [[UInt8]?] = []
            return Computation {
                found.removeAll(keepingCapacity: true)
                for document in documents {
                    try document.withUnsafeBytes { bytes in
                        try scanner.scan(bytes)
                        for path in shape.paths.indices {
                            found.append(scanner.values.text(of: path).map { Array($0) })
                        }
                    }
                    stored.removeAll(keepingCapacity: true)
                    scanner.appendStored(id: 7, lastModified: 1_600_000_000_000, to: &stored)
                }
                return documents.count
            } answer: {
                add(found, to: &$0)
            }
        }
    }

    private static func check(_ shape: JSONShape) -> Cell {
        Cell(
            "json-check", ["shape": shape.name], revision: 1,
            summary: "checks \(count) documents of about 1 KB without keeping a result",
            arms: [ours, decoder], comparisons: [.init(ours, decoder)], primary: .cpu
        ) { arm, workplace in
            let documents = shape.documents(count, seed: workplace.seed)
            let datas = documents.map { Data($0) }
            let reader = JSONDecoder()
            var valid = 0
            return Computation {
                valid = 0
                if arm.work == decoder {
                    // JSONDecoder reads the whole text before it makes the first value, so decoding no value is its
                    // fastest check.
                    for data in datas where (try? reader.decode(DecodedNothing.self, from: data)) != nil {
                        valid += 1
                    }
                } else {
                    for document in documents where document.withUnsafeBytes({ (try? JSONSyntax.check($0)) != nil }) {
                        valid += 1
                    }
                }
                return documents.count
            } answer: {
                $0.add(valid)
            }
        }
    }

    private static let lines = Cell(
        "json-lines", ["shape": "payload"], revision: 1,
        summary: "reads \(count) documents, one a line, and takes a text and a number from each",
        arms: [ours, decoder], comparisons: [.init(ours, decoder)], primary: .cpu
    ) { arm, workplace in
        let text = Array(JSONShape.payload.documents(count, seed: workplace.seed).joined(separator: [0x0A]))
        var names: [[UInt8]] = []
        var sum: Int64 = 0
        let data = Data(text)
        let reader = JSONDecoder()
        let projection = JSONProjection(paths: JSONPathSet(["Name", "Quantity"]))
        return Computation {
            names.removeAll(keepingCapacity: true)
            sum = 0
            if arm.work == decoder {
                for line in data.split(separator: 0x0A) {
                    let entity = try reader.decode(DecodedPayload.self, from: line)
                    names.append(Array(entity.Name.utf8))
                    sum += Int64(entity.Quantity)
                }
            } else {
                let lines = JSONLines(ByteSource(text), checks: false)
                while try lines.advance() {
                    try lines.withLine { line in
                        try projection.read(line)
                        names.append(projection.text(of: 0).map { Array($0) } ?? [])
                        if case .integer(let quantity) = projection.numeric(of: 1) {
                            sum += quantity
                        }
                    }
                }
            }
            return names.count
        } answer: {
            $0.add(Int(sum))
            for name in names {
                $0.add(name)
            }
        }
    }

    private static func decoding(_ documents: [[UInt8]], _ shape: JSONShape) -> Computation {
        let datas = documents.map { Data($0) }
        let reader = JSONDecoder()
        var found: [[UInt8]?] = []
        return Computation {
            found.removeAll(keepingCapacity: true)
            for data in datas {
                found += try DecodedShape.values(of: shape, in: data, reader)
            }
            return datas.count
        } answer: {
            add(found, to: &$0)
        }
    }

    private static func add(_ found: [[UInt8]?], to digest: inout ContentDigest) {
        for value in found {
            digest.add(value == nil ? 0 : 1)
            if let value {
                digest.add(value)
            }
        }
    }
}
