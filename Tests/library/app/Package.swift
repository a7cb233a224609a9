// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Todos",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [
        .package(url: "https://example.com/reqcli.git", branch: "main")
    ],
    targets: [
        .target(
            name: "Todos",
            dependencies: [
                .product(name: "Exchange", package: "reqcli"), .product(name: "RequestBuilding", package: "reqcli"),
            ]),
        .testTarget(
            name: "TodosTests", dependencies: ["Todos", .product(name: "StubServing", package: "reqcli")]),
    ]
)
