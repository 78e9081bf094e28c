import ArgumentParser
import Conformance
import SQLiteAccess

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The options that say on what vectors run.
struct ConformArms: ParsableArguments {
    @Option(help: "A back end: plain, cipher-off or cipher. May be given several times. (default: plain and cipher)")
    var backend: [String] = []

    @Option(
        help: ArgumentHelp(
            "Run the vectors against this command, which speaks the JSON lines of 'soup serve'. May be given several times; without --backend only commands run.",
            valueName: "cmd"))
    var driver: [String] = []

    func validate() throws {
        for name in backend where BackEnd(rawValue: name) == nil {
            throw ValidationError(
                "unknown back end \(name); use one of \(BackEnd.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard Set(backend).count == backend.count else {
            throw ValidationError("a back end is named twice")
        }
    }

    /// How many back ends and commands are named.
    var count: Int { backend.count + driver.count }

    /// A back end or command, as equal arms: as many as cases run at the same time.
    struct Group {
        let arms: [ConformanceRun.Arm]
        /// Whether it is an error if the back end is not available.
        let isRequired: Bool
        /// Whether it is a back end of this package, whose results must be the same as those of the others.
        let isOurs: Bool
    }

    func make(jobs: Int) throws -> [Group] {
        var result: [Group] = []
        for name in backEnds {
            let arms = (0..<jobs).map { _ in ConformanceRun.Arm(store: name.backEnd) }
            result.append(Group(arms: arms, isRequired: name.isRequired, isOurs: true))
        }
        for command in driver {
            do throws(UnavailableBackEnd) {
                var arms: [ConformanceRun.Arm] = []
                for _ in 0..<jobs {
                    arms.append(try DriverBackEnd.arm(command: command))
                }
                result.append(Group(arms: arms, isRequired: true, isOurs: false))
            } catch {
                throw ExitStatus.refuse("the driver does not answer: \(error.reason)")
            }
        }
        let names = result.compactMap { $0.arms.first?.name }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw ExitStatus.refuse(
                "two of them are named \(twice), and their results could not be distinguished: run them one after the other"
            )
        }
        return result
    }

    private var backEnds: [(backEnd: BackEnd, isRequired: Bool)] {
        guard backend.isEmpty else {
            return backend.compactMap(BackEnd.init(rawValue:)).map { ($0, true) }
        }
        guard driver.isEmpty else {
            return []
        }
        // A back end that is named must be available; one of the default may be missing, which is reported.
        let environment = ProcessInfo.processInfo.environment
        let cipherMayBeMissing = environment["CI"] != "true" || environment["SOUP_WITHOUT_CIPHER"] == "1"
        return [(.plain, true), (.cipher, !cipherMayBeMissing)]
    }
}
