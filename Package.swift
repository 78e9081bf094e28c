// swift-tools-version: 6.2
import PackageDescription

/// One set of settings for every Swift target: Swift 6 mode, imports that name what they use, warnings as errors.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Where apps bring SQLCipher with them.
let apple: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .visionOS]

/// A layer of the house: its name says what it is, `needs` says who it may import, and nobody else. `ci/test` builds
/// with that checked.
func layer(_ name: String, needs: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: needs, exclude: exclude, swiftSettings: settings)
}

/// The tests of a layer; `TestSupport` (folders, seeded random numbers, generators) is there for all of them.
func tests(_ name: String, of needs: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: needs + ["TestSupport"], swiftSettings: settings)
}

let package = Package(
    name: "OfflineCore",
    // All families that can hold a store; one that is not named would get its oldest system and not compile.
    platforms: [.macOS(.v15), .iOS(.v18), .macCatalyst(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: [
        .library(name: "OfflineCore", targets: ["OfflineCore"]),
        .library(name: "OData", targets: ["OData"]),
        .library(name: "SOQL", targets: ["SOQL"]),
        .library(name: "OfflineSync", targets: ["OfflineSync"]),
        .library(name: "OfflineOData", targets: ["OfflineOData"]),
        .library(name: "MockODataService", targets: ["MockODataService"]),
        .executable(name: "soup", targets: ["soup"]),
    ],
    traits: [
        .default(enabledTraits: ["CommandLine"]),
        .trait(name: "CommandLine", description: "Builds the program `soup`, which needs swift-argument-parser."),
        .trait(name: "SQLCipher", description: "Links SQLCipher on Apple systems, for encrypted stores in an app."),
        .trait(name: "LinkedSQLite", description: "Links the system's SQLite instead of loading it."),
    ],
    dependencies: [
        // Each is used by one trait only, and is not even resolved while that is off.
        .package(url: "https://github.com/apple/swift-argument-parser", "1.5.0"..<"2.0.0"),
        .package(url: "https://github.com/sqlcipher/SQLCipher.swift", from: "4.11.0"),
    ],
    targets: [
        // C, and what may touch it
        .target(name: "CSQLite"),
        .target(
            name: "CSQLiteLinked",
            dependencies: [
                "CSQLite",
                .product(
                    name: "SQLCipher", package: "SQLCipher.swift",
                    condition: .when(platforms: apple, traits: ["SQLCipher"])),
            ],
            cSettings: [
                .define("SOUP_LINKS_CIPHER", .when(platforms: apple, traits: ["SQLCipher"])),
                .define("SOUP_LINKS_SQLITE", .when(traits: ["LinkedSQLite"])),
            ],
            // On Apple systems the source says what to link, since one trait decides there over the other.
            linkerSettings: [.linkedLibrary("sqlite3", .when(platforms: [.linux], traits: ["LinkedSQLite"]))]),
        .target(name: "CFloor", dependencies: ["CSQLite"]),
        .systemLibrary(name: "CZlib"),

        // The system: one import of the C library, and what is made of it
        layer("Libc"),
        layer("Platform", needs: ["Libc"]),

        // Text
        layer("StepCounting"),
        layer("JSONText", needs: ["Platform", "StepCounting"]),
        layer("XMLText", needs: ["StepCounting"]),
        layer("CSVText"),

        // The store and its queries
        layer("Soups", needs: ["JSONText", "StepCounting"]),
        layer("FoundationTypes"),
        layer("EntryCoding", needs: ["FoundationTypes", "JSONText", "Soups"]),
        layer("SQLiteAccess", needs: ["CSQLite", "CSQLiteLinked", "Soups", "Platform"]),
        layer("SmartSQL", needs: ["Soups"]),
        layer(
            "OfflineStore",
            needs: ["EntryCoding", "FoundationTypes", "SQLiteAccess", "SmartSQL", "Soups", "JSONText", "Platform"]),
        layer("OfflineCore", needs: ["OfflineStore", "EntryCoding", "SQLiteAccess", "Soups", "JSONText"]),

        // OData
        layer(
            "OData", needs: ["FoundationTypes", "JSONText", "XMLText", "Soups", "CZlib", "Libc", "StepCounting"]),

        // Services
        layer("SOQL", needs: ["Soups"]),
        layer("ServiceTransport", needs: ["Soups"]),
        layer("LocalChanges", needs: ["OfflineStore", "Soups", "JSONText"]),
        layer("MockFiles", needs: ["Soups", "JSONText"]),
        layer("MockService", needs: ["MockFiles", "ServiceTransport", "Soups", "JSONText"]),
        layer("MockODataService", needs: ["MockFiles", "ServiceTransport", "Soups", "JSONText", "XMLText"]),
        layer("LoopbackHTTP", needs: ["ServiceTransport", "Soups", "Platform"]),
        layer(
            "OfflineSync", needs: ["LocalChanges", "ServiceTransport", "SOQL", "OfflineStore", "Soups", "JSONText"]),
        layer(
            "OfflineOData",
            needs: ["OfflineStore", "OData", "LocalChanges", "ServiceTransport", "Soups", "JSONText"]),

        // What judges the engines
        layer(
            "Conformance",
            needs: [
                "OfflineStore", "OfflineSync", "OfflineOData", "LocalChanges", "ServiceTransport", "OData", "SOQL",
                "EntryCoding", "SQLiteAccess", "SmartSQL", "Soups", "JSONText", "CSVText", "Platform",
            ]),
        layer("Benchmarking", needs: ["Soups", "JSONText", "CSVText", "Platform", "Libc"]),
        layer(
            "SoupBenchmarks",
            needs: [
                "Benchmarking", "EntryCoding", "OfflineStore", "OData", "SOQL", "LocalChanges", "OfflineSync",
                "OfflineOData", "ServiceTransport", "MockService", "SQLiteAccess", "SmartSQL", "Soups", "JSONText",
                "XMLText",
                "CSVText", "Platform", "CFloor", "CSQLite",
                "CZlib",
            ]),

        // The command line
        .executableTarget(
            name: "soup",
            dependencies: [
                "OData", "SOQL", "OfflineSync", "OfflineOData", "OfflineStore", "ServiceTransport", "MockService",
                "MockODataService", "LoopbackHTTP", "Conformance",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"])),
                "Benchmarking", "SoupBenchmarks", "SQLiteAccess", "Soups", "JSONText", "CSVText", "Platform", "Libc",
            ],
            swiftSettings: settings),

        // Tests
        .target(
            name: "TestSupport", dependencies: ["SQLiteAccess", "Soups", "Libc"], path: "Tests/TestSupport",
            swiftSettings: settings),
        .target(
            name: "SyncInvariants", dependencies: ["MockService", "OfflineStore", "OfflineSync", "Soups"],
            path: "Tests/SyncInvariants", swiftSettings: settings),
        tests("PlatformTests", of: ["Platform", "Libc"]),
        tests("JSONTextTests", of: ["JSONText"]),
        tests("EntryCodingTests", of: ["EntryCoding", "FoundationTypes", "JSONText", "Soups"]),
        tests("XMLTextTests", of: ["XMLText"]),
        tests("CSVTextTests", of: ["CSVText"]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["Conformance", "SQLiteAccess", "Soups", "JSONText", "Libc", "TestSupport"],
            exclude: ["RunnerVectors"], swiftSettings: settings),
        tests(
            "ODataTests",
            of: [
                "OData", "OfflineOData", "OfflineStore", "ServiceTransport", "SQLiteAccess", "Conformance", "Soups",
                "JSONText", "StepCounting",
            ]),
        tests("SOQLTests", of: ["SOQL", "Soups"]),
        tests("ServiceTransportTests", of: ["ServiceTransport", "LoopbackHTTP", "Soups"]),
        tests(
            "LocalChangesTests", of: ["LocalChanges", "OfflineStore", "SQLiteAccess", "Soups", "JSONText"]),
        tests("MockServiceTests", of: ["MockService", "ServiceTransport", "Soups", "JSONText"]),
        tests("MockODataServiceTests", of: ["MockODataService", "ServiceTransport", "JSONText"]),
        tests("LoopbackHTTPTests", of: ["LoopbackHTTP", "Platform"]),
        tests(
            "OfflineSyncTests",
            of: [
                "OfflineSync", "LocalChanges", "MockService", "LoopbackHTTP", "ServiceTransport", "OfflineStore",
                "SQLiteAccess", "Soups", "JSONText", "SyncInvariants",
            ]),
        tests(
            "OfflineODataTests",
            of: [
                "OfflineOData", "OData", "LocalChanges", "ServiceTransport", "LoopbackHTTP", "MockODataService",
                "OfflineStore", "SQLiteAccess", "Soups", "JSONText", "StepCounting",
            ]),
        tests("SQLiteAccessTests", of: ["SQLiteAccess", "CSQLite", "Soups", "Platform", "Libc"]),
        tests("SmartSQLTests", of: ["SmartSQL", "SQLiteAccess", "Soups", "JSONText"]),
        tests(
            "BenchmarkingTests",
            of: [
                "Benchmarking", "SoupBenchmarks", "OData", "OfflineStore", "SQLiteAccess", "CSQLite", "SmartSQL",
                "JSONText", "Soups", "Platform", "CSVText", "LoopbackHTTP", "soup",
            ]),
        tests(
            "OfflineStoreTests",
            of: ["EntryCoding", "OfflineStore", "SQLiteAccess", "Soups", "JSONText", "Platform", "Libc"]),
        tests("OfflineCoreTests", of: ["OfflineCore"]),
        // A process to be killed, and what kills it
        .target(name: "FaultVFS", path: "Tests/FaultVFS"),
        .executableTarget(
            name: "FaultChild",
            dependencies: [
                "FaultVFS", "LocalChanges", "OfflineStore", "OfflineSync", "MockService", "ServiceTransport",
                "SQLiteAccess",
                "Soups", "JSONText", "Platform", "Libc",
            ],
            path: "Tests/FaultChild", swiftSettings: settings),
        tests(
            "ReliabilityTests",
            of: [
                "OfflineStore", "OfflineSync", "MockService", "LocalChanges", "SQLiteAccess", "Soups", "JSONText",
                "Platform", "Libc", "FaultChild", "FaultVFS", "SyncInvariants",
            ]),
    ]
)
