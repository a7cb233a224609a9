// swift-tools-version: 6.2
import PackageDescription

/// Measures the library from outside, as a package that uses it; `make bench` in the root runs it.
let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "reqcli", path: "..")],
    targets: [
        .executableTarget(
            name: "exchange-bench",
            dependencies: [
                .product(name: "Exchange", package: "reqcli"), .product(name: "RequestBuilding", package: "reqcli"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")])
    ]
)
