// swift-tools-version: 6.2
import PackageDescription

// Compares JSONText with Foundation's readers. It is a package of its own because JSONText alone builds in seconds.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "json-speed",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "Libc", swiftSettings: settings),
        .target(name: "Platform", dependencies: ["Libc"], swiftSettings: settings),
        .target(name: "StepCounting", swiftSettings: settings),
        .target(name: "JSONText", dependencies: ["Platform", "StepCounting"], swiftSettings: settings),
        // Of the engine, the random numbers only.
        .target(name: "Benchmarking", swiftSettings: settings),
        .executableTarget(name: "measure", dependencies: ["JSONText", "Benchmarking"], swiftSettings: settings),
    ]
)
