import Foundation
import OData
import Soups
import XMLText

/// Does one of the works on one file so many times and prints the CPU seconds of each time on a line: `measure WORK
/// FILE TIMES`.
///
/// `measure make KIND MEGABYTES FILE` writes a feed: atom or json, regular or irregular, as `atom-regular`. `measure
/// bombs` times the hostile bodies of the tests: each must end in a fault of the right kind within 100 ms, else the
/// exit code is 1.
@main enum Measure {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments == [arguments[0], "bombs"] {
            return bombs()
        }
        guard arguments.count >= 4 else {
            return usage()
        }
        if arguments[1] == "make", arguments.count == 5, let megabytes = Int(arguments[3]) {
            return try make(arguments[2], megabytes, arguments[4])
        }
        guard let work = Work.all.first(where: { $0.name == arguments[1] }), let times = Int(arguments[3]) else {
            return usage()
        }
        let body = try work.prepare(arguments[2])
        for _ in 0..<times {
            let start = cpu()
            let count = try body()
            print(Double(cpu() - start) / 1e9, count)
        }
    }

    private static func usage() {
        let works = Work.all.map(\.name).joined(separator: ", ")
        let text = """
            usage: measure WORK FILE TIMES, measure make KIND MEGABYTES FILE, or measure bombs
            works: \(works)

            """
        FileHandle.standardError.write(Data(text.utf8))
        exit(2)
    }

    private static func make(_ kind: String, _ megabytes: Int, _ path: String) throws {
        let corpus = FeedCorpus(isRegular: kind.hasSuffix("-regular"), bytes: megabytes << 20, seed: 7)
        let bytes = kind.hasPrefix("atom") ? corpus.atom() : corpus.json()
        try Data(bytes).write(to: URL(filePath: path))
    }

    private static func bombs() {
        var isGood = true
        for bomb in PayloadBomb.all {
            let start = cpu()
            let fault = bomb.fault()
            let milliseconds = Double(cpu() - start) / 1e6
            let holds = milliseconds < 100 && fault.map { bomb.codes.contains($0.code) } == true
            isGood = isGood && holds
            print(
                String(format: "%8.2f ms  ", milliseconds) + (fault?.code.rawValue ?? "was read") + "  " + bomb.name
                    + (holds ? "" : "  <- wrong"))
        }
        if !isGood {
            exit(1)
        }
    }

    /// CPU time of the process in nanoseconds: another program's work does not count.
    private static func cpu() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
