import Foundation
import JSONText

/// Prints how fast the readers of JSONText are compared with Foundation's, on generated documents. `measure write FOLDER`
/// writes the documents for other programs to read; `measure CORPUS WORK` repeats one work for three seconds, for a
/// profiler; `measure serve` is the peer of a benchmark run.
@main enum Measure {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "write" {
            for corpus in Corpus.all {
                try Data(corpus.array).write(to: URL(filePath: arguments[2] + "/\(corpus.name).json"))
            }
            return
        }
        if arguments.count == 2, arguments[1] == "serve" {
            return try Serve.run()
        }
        if arguments.count == 3 {
            return profile(arguments[1], arguments[2])
        }
        print("corpus       work                       ns/doc     MB/s   x JSONSerialization")
        for corpus in Corpus.all {
            let works = Works(corpus)
            // Each round runs everything once, in turn: what slows one slows all. The median of the rounds counts.
            var times = [[Double]](repeating: [], count: works.all.count)
            for _ in 0..<5 {
                for (index, work) in works.all.enumerated() {
                    times[index].append(seconds(work.body) / Double(work.rounds))
                }
            }
            for (index, work) in works.all.enumerated() {
                let time = median(times[index])
                let ratios = median(zip(times[0], times[index]).map { $0 / $1 })
                print(
                    pad(corpus.name, 12), pad(work.name, 24), number(time * 1e9 / Double(corpus.documents.count), 8, 0),
                    number(Double(corpus.bytes) / time / 1e6, 8, 0), number(ratios, 9, 1))
            }
        }
    }

    private static func profile(_ shape: String, _ name: String) {
        for corpus in Corpus.all where corpus.name == shape {
            for work in Works(corpus).all where work.name == name {
                let start = clock_gettime_nsec()
                while clock_gettime_nsec() - start < 3_000_000_000 {
                    work.body()
                }
            }
        }
    }

    private static func seconds(_ body: () -> Void) -> Double {
        let start = clock_gettime_nsec()
        body()
        return Double(clock_gettime_nsec() - start) / 1e9
    }

    /// CPU time of the process: another program's work does not count.
    private static func clock_gettime_nsec() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
    private static func number(_ value: Double, _ width: Int, _ digits: Int) -> String {
        let text = String(format: "%.\(digits)f", value)
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
