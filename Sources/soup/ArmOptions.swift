import ArgumentParser

/// The option that leaves arms out. A check does not have it, because it needs every arm of the stored report.
struct ArmOptions: ParsableArguments {
    @Option(
        parsing: .upToNextOption,
        help:
            "Measure only these arms of each cell, by name or back end, for example --arms cipher-off cipher. Comparisons need both sides; the control keeps its own."
    )
    var arms: [String] = []
}
