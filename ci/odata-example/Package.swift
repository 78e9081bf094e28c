// swift-tools-version: 6.2
import PackageDescription

// A program that needs nothing but the product OData: what a user of the library writes first.
let package = Package(
    name: "odata-example",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OfflineCore", path: "../..")],
    targets: [
        .executableTarget(
            name: "odata-example", dependencies: [.product(name: "OData", package: "OfflineCore")],
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")])
    ]
)
