// swift-tools-version: 6.2
import PackageDescription

// Measures JSONText beside Foundation's readers. A package of its own, for JSONText alone is built in seconds, as the
// layer that it is.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "json-speed",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "JSONText", swiftSettings: settings),
        .executableTarget(name: "measure", dependencies: ["JSONText"], swiftSettings: settings),
    ]
)
