import Benchmarking
import Conformance

/// The cases of vector files, with what they need.
struct ConformList {
    let files: [VectorFile]

    func make(_ format: RunFormat) -> String {
        let rows = files.flatMap { file in
            file.cases.map { vectorCase in
                [
                    vectorCase.id, file.area, vectorCase.level.rawValue,
                    vectorCase.requires.joined(separator: " "), vectorCase.unnamedCapabilities.joined(separator: " "),
                    vectorCase.title, file.path,
                ]
            }
        }
        return ConformTable(header: ["id", "area", "level", "requires", "unnamed", "title", "file"], rows: rows).make(
            format)
    }
}
