// swift-tools-version: 6.2
import PackageDescription

/// What `make bench` measures with: the library from outside, as a package that uses it, and a launcher that tells what
/// a command took.
let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "reqcli", path: "..")],
    targets: [
        .executableTarget(
            name: "exchange-bench",
            dependencies: [
                .product(name: "Exchange", package: "reqcli"), .product(name: "RequestBuilding", package: "reqcli"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]),
        .executableTarget(name: "launch"),
    ]
)
