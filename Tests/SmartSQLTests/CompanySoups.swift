import SmartSQL
import Soups

/// Sample soups: employees is TABLE_1, departments is TABLE_2, and `files`, TABLE_3, has external storage.
struct CompanySoups: SoupCatalogue {
    private let soups: [RegisteredSoup]

    init() {
        func soup(_ name: String, _ id: Int64, _ specs: [IndexSpec], features: [SoupFeature] = []) -> RegisteredSoup {
            RegisteredSoup(
                spec: SoupSpec(name: name, features: features), id: id,
                indexSpecs: specs.enumerated().map { index, spec in
                    let column = spec.type == .json1 ? JSONExtract.expression(spec.path) : "TABLE_\(id)_\(index)"
                    return IndexSpec(path: spec.path, type: spec.type, columnName: column)
                }, fullTextVersion: nil)
        }
        soups = [
            soup(
                "employees", 1,
                [
                    .string("firstName"), .string("lastName"), .string("deptCode"), .string("employeeId"),
                    .string("managerId"), .integer("salary"),
                    .json1("education"), .json1("isManager"),
                ]),
            soup("departments", 2, [.string("deptCode"), .string("name"), .integer("budget"), .json1("building")]),
            soup("files", 3, [.string("name")], features: [.externalStorage]),
            soup("o'brien \"x\"", 4, [.string("a b"), .json1("it's.here")]),
        ]
    }

    func soup(named name: String) throws(Fault) -> RegisteredSoup? { soups.first { ByteKey($0.name) == ByteKey(name) } }

    static func translate(_ text: String, permissive: Bool = false) throws -> TranslatedQuery {
        try TranslatedQuery(text, catalogue: CompanySoups(), permissive: permissive)
    }

    static func fault(_ text: String, permissive: Bool = false) -> Fault? {
        do throws(Fault) {
            _ = try TranslatedQuery(text, catalogue: CompanySoups(), permissive: permissive)
            return nil
        } catch { return error }
    }
}
