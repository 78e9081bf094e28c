/// Runs libFuzzer on one target: `fuzz TARGET [options and folders of libFuzzer]`. `ci/fuzz/run` builds and calls it.
@main enum Fuzz {
    static func main() {
        guard CommandLine.arguments.count > 1, let target = Target(rawValue: CommandLine.arguments[1]) else {
            print(
                "usage: fuzz TARGET [options of libFuzzer]; targets: "
                    + Target.allCases.map(\.rawValue).joined(separator: " "))
            return
        }
        // libFuzzer reads its own arguments: all but the name of the target.
        var count = CommandLine.argc - 1
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
        _ = runDriver(&count, &arguments, target.callback)
    }
}

/// What can be fuzzed.
enum Target: String, CaseIterable {
    case json
    case odata
    case payload
    case xml
    case smartSQL = "smart-sql"
    case match
    case soql
    case odataBatch = "odata-batch"
    case jsonCSDL = "json-csdl"
    case syncAnswers = "sync-answers"
    case codable

    /// Takes one input; anything but returning (a trap, a sanitizer's report, a time-out) is a finding.
    var callback: Callback {
        switch self {
        case .json:
            { data, count in
                JSONTarget.run(UnsafeRawBufferPointer(start: data, count: count))
                return 0
            }
        case .odata:
            { data, count in
                ODataTarget.run(UnsafeRawBufferPointer(start: data, count: count))
                return 0
            }
        case .payload:
            { data, count in
                PayloadTarget.run(UnsafeRawBufferPointer(start: data, count: count))
                return 0
            }
        case .xml:
            { data, count in
                XMLTarget.run(UnsafeRawBufferPointer(start: data, count: count))
                return 0
            }
        case .smartSQL:
            { data, count in
                SmartSQLTarget.run(UnsafeRawBufferPointer(start: data, count: count))
                return 0
            }
        case .match:
            { data, count in
                MatchTarget.run(UnsafeRawBufferPointer(start: data, count: count))
                return 0
            }
        case .soql:
            { data, count in
                SOQLTarget.run(UnsafeRawBufferPointer(start: data, count: count))
                return 0
            }
        case .odataBatch:
            { data, count in
                BatchTarget.run(UnsafeRawBufferPointer(start: data, count: count))
                return 0
            }
        case .jsonCSDL:
            { data, count in
                JSONMetadataTarget.run(UnsafeRawBufferPointer(start: data, count: count))
                return 0
            }
        case .syncAnswers:
            { data, count in
                SyncAnswersTarget.run(UnsafeRawBufferPointer(start: data, count: count))
                return 0
            }
        case .codable:
            { data, count in
                CodableTarget.run(UnsafeRawBufferPointer(start: data, count: count))
                return 0
            }
        }
    }
}

typealias Callback = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>, _ callback: Callback
) -> CInt
