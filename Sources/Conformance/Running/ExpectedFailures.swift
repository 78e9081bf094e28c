import CSVText
import Soups

/// The cases that are known to fail on a back end, each with its reason.
///
/// A listed case that fails with the listed code is `expected-fail`. A case that passes is `unexpected-pass`, a case
/// that fails with another code keeps its status, and a case that did not run is an `error`. These three make the run
/// fail, so that the list stays up to date.
public struct ExpectedFailures: Sendable {
    /// One row of the list.
    public struct Entry: Sendable, Hashable {
        public let id: String
        /// The code of the expected fault; empty for an expected difference, `*` for any failure.
        public let code: String
        public let reason: String
    }

    public let entries: [Entry]

    public init() { entries = [] }

    /// Reads a list: a header `id,code,reason`, then a row for each case.
    ///
    /// - Throws: `VectorProblem` for another header, a row without id or reason, or a duplicate id.
    public init(csv: [UInt8], file: String) throws(VectorProblem) {
        let rows: [[String]]
        do {
            rows = try CSVText.records(csv)
        } catch {
            throw VectorProblem(file: file, key: "row \(error.record)", message: error.message)
        }
        guard rows.first == ["id", "code", "reason"] else {
            throw VectorProblem(file: file, key: "row 1", message: "must be id,code,reason")
        }
        var entries: [Entry] = []
        // A blank line is a record of one empty field.
        for (index, row) in rows.enumerated().dropFirst() where row != [""] {
            let location = "row \(index + 1)"
            guard row.count == 3 else {
                throw VectorProblem(file: file, key: location, message: "has \(row.count) fields, not 3")
            }
            guard !row[0].isEmpty, !row[2].isEmpty else {
                throw VectorProblem(file: file, key: location, message: "needs an id and a reason")
            }
            guard !entries.contains(where: { $0.id.utf8.elementsEqual(row[0].utf8) }) else {
                throw VectorProblem(file: file, key: location, message: "lists \(row[0]) again")
            }
            entries.append(Entry(id: row[0], code: row[1], reason: row[2]))
        }
        self.entries = entries
    }

    /// The entries for only some cases, for a run of only these cases.
    public func restricted(to isWanted: (_ id: String) -> Bool) -> ExpectedFailures {
        ExpectedFailures(entries: entries.filter { isWanted($0.id) })
    }

    private init(entries: [Entry]) { self.entries = entries }

    /// The text of a list with every case that failed in these results. Reasons of this list stay; a case that is new
    /// has a reason that asks for one.
    ///
    /// - Parameter keeps: Whether an entry of this list stays as it is, because its case was not to run.
    public func csv(for results: [CaseResult], keeping keeps: (_ id: String) -> Bool = { _ in false }) -> String {
        var text = CSVText.record(["id", "code", "reason"])
        for entry in entries where keeps(entry.id) {
            text += CSVText.record([entry.id, entry.code, entry.reason])
        }
        for result in results where result.status == .expectedFail || result.status.isRed {
            guard result.status != .unexpectedPass, !result.isNeverRun else { continue }
            let known = entries.first { $0.id.utf8.elementsEqual(result.id.utf8) }
            text += CSVText.record([result.id, result.code, known?.reason ?? "to be explained"])
        }
        return String(decoding: text, as: UTF8.self)
    }

    func applied(to result: CaseResult) -> CaseResult {
        guard let entry = entries.first(where: { $0.id.utf8.elementsEqual(result.id.utf8) }) else {
            return result
        }
        var result = result
        switch result.status {
        case .pass:
            result.status = .unexpectedPass
            result.detail = "listed as an expected failure: \(entry.reason)"
        case .fail, .error, .crash, .timeout:
            guard entry.code == "*" || entry.code.utf8.elementsEqual(result.code.utf8) else {
                result.detail = "expected to fail with code \"\(entry.code)\": " + result.detail
                break
            }
            result.status = .expectedFail
            result.detail = "\(entry.reason): \(result.detail)"
        case .skip, .expectedFail, .unexpectedPass: break
        }
        return result
    }

    /// The results with an error for each entry whose case did not run: instead of the skipped one, or at the end if
    /// the case is missing.
    func addingNeverRan(to results: [CaseResult], backEnd: String) -> [CaseResult] {
        var results = results
        for entry in entries {
            guard let position = results.firstIndex(where: { $0.id.utf8.elementsEqual(entry.id.utf8) }) else {
                results.append(
                    CaseResult(id: entry.id, area: "", backEnd: backEnd, status: .error, detail: CaseResult.neverRan))
                continue
            }
            if !results[position].status.isExecuted {
                results[position].status = .error
                results[position].detail = CaseResult.neverRan
            }
        }
        return results
    }

    /// This list with the entries of another one for cases that it does not have.
    func adding(_ other: ExpectedFailures) -> ExpectedFailures {
        let known = Set(entries.map { ByteKey($0.id) })
        return ExpectedFailures(entries: entries + other.entries.filter { !known.contains(ByteKey($0.id)) })
    }
}
