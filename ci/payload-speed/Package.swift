// swift-tools-version: 6.2
import PackageDescription

// Measures the readers of payloads beside Foundation's. A package of its own: the readers alone are built in a minute,
// and full Foundation and its XML are no dependency of the project.

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
        layer("JSONText"),
        layer("XMLText"),
        layer("Soups", needs: ["JSONText"]),
        layer("OData", needs: ["JSONText", "XMLText", "Soups", "CZlib"]),
        .executableTarget(
            name: "measure", dependencies: ["OData", "Soups", "JSONText", "XMLText"], swiftSettings: settings),
    ]
)
