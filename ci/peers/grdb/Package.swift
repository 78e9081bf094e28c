// swift-tools-version: 6.2
import PackageDescription

/// A package of its own, because GRDB links SQLite, which the store never does.
let package = Package(
    name: "grdb-peer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")],
    targets: [
        .executableTarget(
            name: "grdb-peer", dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
