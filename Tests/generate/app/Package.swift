// swift-tools-version: 6.2
import PackageDescription

let libraries: [Target.Dependency] = [
    .product(name: "Exchange", package: "reqcli"), .product(name: "RequestBuilding", package: "reqcli"),
]

let package = Package(
    name: "Todos",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [
        .package(url: "https://example.com/reqcli.git", branch: "main")
    ],
    targets: [
        .target(name: "Backend", dependencies: libraries),
        .target(name: "BackendStubs", dependencies: libraries + ["Backend"]),
        .target(name: "Todos", dependencies: libraries + ["Backend"]),
        .testTarget(name: "TodosTests", dependencies: libraries + ["BackendStubs", "Todos"]),
        .target(name: "API", dependencies: libraries),
        .target(name: "APIStubs", dependencies: libraries + ["API"]),
        .testTarget(name: "FoundingTests", dependencies: libraries + ["APIStubs"]),
        .testTarget(name: "HandmadeTests", dependencies: libraries),
    ]
)
