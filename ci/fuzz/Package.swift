// swift-tools-version: 6.2
import PackageDescription

// libFuzzer needs unsafe flags, which no package may depend on: so this is a package of its own. The layers under test
// are linked in from Sources/ by symbolic links and built with coverage and the address sanitizer. To fuzz another
// layer: a link, a `layer`, a case in `Target` (Fuzz.swift).

let sanitized: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-sanitize=fuzzer,address"]),
]

func layer(_ name: String, needs: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: needs, swiftSettings: sanitized)
}

let package = Package(
    name: "fuzz",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "CSQLite"),
        .target(name: "CSQLiteLinked", dependencies: ["CSQLite"]),
        .systemLibrary(name: "CZlib"),
        layer("Libc"),
        layer("Platform", needs: ["Libc"]),
        layer("StepCounting"),
        layer("FoundationTypes"),
        layer("JSONText", needs: ["Platform", "StepCounting"]),
        layer("XMLText", needs: ["StepCounting"]),
        layer("Soups", needs: ["JSONText", "StepCounting"]),
        layer("SmartSQL", needs: ["Soups"]),
        layer("SOQL", needs: ["Soups"]),
        layer("SQLiteAccess", needs: ["CSQLite", "CSQLiteLinked", "Soups", "Platform"]),
        layer("EntryCoding", needs: ["FoundationTypes", "JSONText", "Soups"]),
        layer(
            "OfflineStore",
            needs: ["EntryCoding", "FoundationTypes", "SQLiteAccess", "SmartSQL", "Soups", "JSONText", "Platform"]),
        layer("ServiceTransport", needs: ["Soups"]),
        layer("LocalChanges", needs: ["OfflineStore", "Soups", "JSONText"]),
        layer(
            "OfflineSync", needs: ["LocalChanges", "ServiceTransport", "SOQL", "OfflineStore", "Soups", "JSONText"]),
        layer("OData", needs: ["FoundationTypes", "JSONText", "XMLText", "Soups", "CZlib", "Libc", "StepCounting"]),
        layer("ODataShapes", needs: ["OData", "JSONText", "Soups"]),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "JSONText", "XMLText", "OData", "ODataShapes", "Soups", "SmartSQL", "SOQL", "SQLiteAccess",
                "OfflineStore", "OfflineSync", "EntryCoding", "FoundationTypes", "Libc",
            ],
            swiftSettings: sanitized,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    ]
)
