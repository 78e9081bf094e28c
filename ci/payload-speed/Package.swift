// swift-tools-version: 6.2
import PackageDescription

// Compares the readers of payloads with Foundation's, and measures how the cost of each construct grows. It is a package of its own because the readers alone build in a
// minute, and because the project does not depend on full Foundation and its XML.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func layer(_ name: String, needs: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: needs, swiftSettings: settings)
}

let package = Package(
    name: "payload-speed",
    platforms: [.macOS(.v15)],
    targets: [
        .systemLibrary(name: "CZlib"),
        layer("Libc"),
        layer("Platform", needs: ["Libc"]),
        layer("StepCounting"),
        layer("FoundationTypes"),
        layer("JSONText", needs: ["Platform", "StepCounting"]),
        layer("XMLText", needs: ["StepCounting"]),
        layer("Soups", needs: ["JSONText", "StepCounting"]),
        layer("OData", needs: ["FoundationTypes", "JSONText", "XMLText", "Soups", "CZlib", "Libc", "StepCounting"]),
        // Of the engine, the random numbers only.
        layer("Benchmarking"),
        .executableTarget(
            name: "measure", dependencies: ["OData", "Soups", "JSONText", "XMLText", "Benchmarking"],
            swiftSettings: settings),
        .executableTarget(name: "growth", dependencies: ["OData", "Soups", "JSONText"], swiftSettings: settings),
    ]
)
