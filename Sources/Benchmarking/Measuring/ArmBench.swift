import JSONText
import Soups

/// Performs the steps of a block for each arm: prepare, run (warm-up, batches, counters), check. Runs in the worker, or
/// in this process for the smoke profile.
struct ArmBench {
    private var subjects: [Arm: Prepared] = [:]

    private struct Prepared {
        let cell: Cell
        let subject: any Subject
    }

    /// A measurement that does not belong to a block yet.
    struct Measurement: Sendable, Hashable {
        var metric: Metric
        var warm: Bool
        var iterations: Int
        var value: Int
    }

    /// The shortest time of a sample of repeated work (ns): far longer than the clock's resolution and the cost of an
    /// interrupt.
    static let shortestSample: UInt64 = 20_000_000

    /// Prepares the work of an arm under the name that the run uses for it. Returns a reason if the arm cannot do the
    /// work here, because a library is missing or lacks a module.
    mutating func prepare(_ cell: Cell, as arm: Arm, _ workplace: Workplace) throws(Fault) -> String? {
        do {
            subjects[arm] = Prepared(cell: cell, subject: try cell.prepare(workplace.arm, workplace))
            return nil
        } catch let fault as Fault
            where [.libraryUnavailable, .encryptionUnavailable, .unsupported, .unsupportedFeature].contains(fault.code)
        {
            return fault.message
        } catch {
            throw Self.fault(error)
        }
    }

    /// Runs an arm. The counters come from the first run, which starts from the same state in every block.
    func run(_ arm: Arm, quickly: Bool = false) throws(Fault) -> [Measurement] {
        let prepared = try find(arm)
        do {
            return try measure(prepared.subject, prepared.cell.style, quickly: quickly)
        } catch {
            throw Self.fault(error)
        }
    }

    private func measure(_ subject: any Subject, _ style: Cell.Style, quickly: Bool) throws -> [Measurement] {
        var found: [Measurement] = []
        func run(warm: Bool, atLeast shortest: UInt64 = 0) throws -> Stopwatch {
            let watch = Stopwatch()
            var units = 0
            repeat { units += try watch.measure { try subject.run(watch) } } while watch.wall < shortest
            found.append(
                Measurement(metric: .wall, warm: warm, iterations: max(1, units), value: Int(clamping: watch.wall)))
            if !subject.isInAnotherProcess {
                found.append(
                    Measurement(metric: .cpu, warm: warm, iterations: max(1, units), value: Int(clamping: watch.cpu)))
            }
            return watch
        }
        let before = style == .counted ? [] : try subject.counters()
        var last: UInt64 = 0
        switch style {
        case .counted: break
        case .once: _ = try run(warm: false)
        case .repeated: last = try run(warm: true).wall
        }
        for (metric, value) in try subject.counters() {
            let start = before.first { $0.0 == metric }?.1 ?? 0
            found.append(Measurement(metric: metric, warm: false, iterations: 1, value: value - start))
        }
        guard style == .repeated, !quickly else {
            return found
        }
        // Warm when two runs in a row differ by less than a tenth, or after three runs.
        for _ in 0..<2 {
            let next = try run(warm: true).wall
            let settled = max(next, last) - min(next, last) < max(next, last) / 10
            last = next
            if settled {
                break
            }
        }
        _ = try run(warm: false, atLeast: Self.shortestSample)
        return found
    }

    /// The result of an arm's work.
    struct Check {
        let digest: String
        /// Whether the arm's files contain the marker; nil if it leaves no files.
        let marker: Bool?
        /// The query plans of its statements; nil without any.
        let plan: String?
    }

    /// Asks for an arm's plans, digests its answer, closes it, and searches the files it leaves for the marker.
    mutating func check(_ arm: Arm) throws(Fault) -> Check {
        let prepared = try find(arm)
        subjects[arm] = nil
        do {
            let plans = try prepared.subject.plans()
            var digest = ContentDigest()
            try prepared.subject.digest(into: &digest)
            var evidence = prepared.subject.evidence
            // An encrypted database has no readable header either, which a plain one always has, whatever its
            // documents.
            if arm.isEncrypted {
                evidence?.markers.append(Evidence.header)
            }
            // A plain arm without any text to search for proves nothing.
            if evidence?.markers.isEmpty == true {
                evidence = nil
            }
            try prepared.subject.close()
            return Check(
                digest: digest.hex, marker: try evidence.map { try $0.isMarkerFound() },
                plan: plans.isEmpty ? nil : plans.joined(separator: "; "))
        } catch {
            throw Self.fault(error)
        }
    }

    private func find(_ arm: Arm) throws(Fault) -> Prepared {
        guard let prepared = subjects[arm] else {
            throw Fault(.invalidArguments, "the arm \(arm) was not prepared")
        }
        return prepared
    }

    private static func fault(_ error: any Error) -> Fault {
        error as? Fault ?? Fault(.inputOutput, "the work failed: \(error)")
    }
}

extension ArmBench.Measurement {
    var json: JSONValue {
        [
            "metric": .string(metric.name), "warm": .bool(warm), "iterations": .number(JSONNumber(Int64(iterations))),
            "value": .number(JSONNumber(Int64(value))),
        ]
    }

    init?(json: JSONValue) {
        guard let metric = json["metric"]?.string, let warm = json["warm"]?.bool,
            let iterations = json["iterations"]?.int64,
            let value = json["value"]?.int64
        else {
            return nil
        }
        self.init(metric: Metric(metric), warm: warm, iterations: Int(iterations), value: Int(value))
    }
}
