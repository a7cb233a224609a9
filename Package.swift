// swift-tools-version: 6.2
import PackageDescription

/// One strict set of settings for every target: a warning is an error, an import is internal unless it says
/// otherwise, and an existential is always spelt `any`.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The targets of a floor, each with those that it imports. They stand in `Sources/<floor>`, in folders without the prefix that
/// keeps the name of a target apart from others in the graph of an app. A target may import what its dependencies import, too, and
/// nothing else: `scripts/check-floors.py`.
///
/// The files and folders in `embedded` become arrays of bytes in `PackageResources`, because the program is one file.
func floor(
    _ floor: String, _ targets: KeyValuePairs<String, [Target.Dependency]>, embedded: [String: [String]] = [:]
) -> [Target] {
    targets.map { name, dependencies in
        .target(
            name: name, dependencies: dependencies, path: "Sources/\(floor)/\(folder(name))",
            resources: embedded[name]?.map { .embedInCode($0) },
            swiftSettings: strict
                + (small.contains(name) ? [.unsafeFlags(["-Osize"], .when(configuration: .release))] : []))
    }
}

/// The targets that are optimised for size rather than for speed, because each of them works for a moment, in a few commands, or only hands
/// work to others. An app can't import them: SwiftPM refuses such flags in a package that an app depends on.
let small: Set<String> = [
    "Calling", "Commands", "Exporting", "Generating", "Importing", "LoadTesting", "OAuth", "Recording", "Rendering",
    "Shapes",
]

func folder(_ name: String) -> String {
    for prefix in ["CReqcli", "Reqcli"] where name.hasPrefix(prefix) { return String(name.dropFirst(prefix.count)) }
    return name
}

/// The tests of a floor, in `Tests/<floor>`. Those that start the program depend on it, so that it is built.
func tests(_ floor: String, _ targets: KeyValuePairs<String, [Target.Dependency]>) -> [Target] {
    targets.map { name, dependencies in
        .testTarget(
            name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(floor)/\(name)",
            swiftSettings: strict)
    }
}

let c: [Target] = ["CReqcliLibcurl", "CReqcliLibcrypto", "CReqcliDecoders", "CReqcliSystem"].map {
    .target(name: $0, path: "Sources/C/\(folder($0))")
}

let text = floor(
    "Text",
    [
        "ReqcliBasics": [],
        "ReqcliText": ["ReqcliBasics"],
        "JSONRPC": ["ReqcliText"],
        "ReqcliJSONPath": ["ReqcliText"],
        "ReqcliJSONSchema": ["ReqcliJSONPath"],
        "ReqcliOpenAPI": ["ReqcliJSONSchema"],
    ], embedded: ["ReqcliJSONSchema": ["MetaSchemas"]])

let http =
    floor(
        "HTTP",
        [
            "HTTPWire": ["ReqcliBasics"],
            "ReqcliNetworking": [],
            "RequestBuilding": ["ReqcliBasics", "ReqcliNetworking", "CReqcliLibcrypto"],
            "ReqcliServing": ["HTTPWire", "CReqcliSystem"],
            "OAuth": ["ReqcliText", "RequestBuilding"],
        ]) + [
        // The loader in it is for Linux. Elsewhere `Exchange` sends with URLSession as it is. The loader is no target of its own: it
        // makes the responses that `Exchange` hands out, so that their types would need one more target below.
        .target(
            name: "Exchange",
            dependencies: [
                "RequestBuilding", "CReqcliDecoders",
                .target(name: "CReqcliLibcurl", condition: .when(platforms: [.linux])),
                .target(name: "CReqcliSystem", condition: .when(platforms: [.linux])),
            ],
            path: "Sources/HTTP/Exchange", swiftSettings: strict)
    ]

let workspace = floor(
    "Workspace",
    [
        "ReqcliRedaction": ["ReqcliText"],
        "ReqcliFunctions": ["ReqcliJSONPath", "RequestBuilding"],
        "ReqcliDefinitions": ["ReqcliOpenAPI", "RequestBuilding", "ReqcliRedaction", "ReqcliFunctions"],
        "ReqcliMatching": ["ReqcliDefinitions"],
        "ReqcliAssembly": ["ReqcliDefinitions", "CReqcliSystem"],
        "Rendering": ["ReqcliDefinitions"],
    ])

let work = floor(
    "Work",
    [
        "Shapes": ["ReqcliJSONPath"],
        "Calling": ["ReqcliAssembly", "ReqcliMatching", "Rendering", "Exchange"],
        "Checking": ["Calling", "Shapes"],
        "LoadTesting": ["Checking"],
        "ReqcliMocking": ["ReqcliAssembly", "ReqcliMatching", "Exchange", "HTTPWire"],
        "Recording": ["Checking", "ReqcliMocking"],
        "StubServing": ["ReqcliMocking", "ReqcliServing"],
        "Importing": ["ReqcliDefinitions"],
        "Exporting": ["ReqcliMocking", "Rendering"],
        "Generating": ["ReqcliMocking"],
    ],
    embedded: [
        "Checking": ["Reports/report.css", "Reports/report.js"],
        "Exporting": ["Formats/HTML/Page", "Formats/K6/runtime.js", "Formats/Locust/runtime.py"],
    ])

let program =
    floor(
        "Program",
        [
            "CommandLineKit": ["ReqcliText"],
            "Commands": [
                "CommandLineKit", "Rendering", "Recording", "LoadTesting", "StubServing", "Importing", "Exporting",
                "Generating", "OAuth", "JSONRPC",
            ],
        ], embedded: ["Commands": ["Serving/Page/page.html", "Serving/Page/page.css", "Serving/Page/page.js"]]) + [
        // Takes the place of functions of libcurl, the libraries below it, Foundation and glibc, so that only the program may link it.
        .target(
            name: "CReqcliOverrides", dependencies: ["CReqcliLibcurl"], path: "Sources/Program/Overrides",
            cSettings: [.headerSearchPath("../../C/Libcurl")]),
        .executableTarget(
            name: "reqcli", dependencies: ["Commands", "CReqcliOverrides"], path: "Sources/Program/reqcli",
            swiftSettings: strict),
    ]

let support: [Target] = [
    .target(
        name: "TestSupport", dependencies: ["ReqcliAssembly", "CommandLineKit"], path: "Tests/Support/TestSupport",
        swiftSettings: strict),
    // Runs the built program in processes of its own.
    .target(name: "CToolSpawn", path: "Tests/Support/CToolSpawn"),
    .target(
        name: "ToolSupport", dependencies: ["TestSupport", "CToolSpawn"], path: "Tests/Support/ToolSupport",
        swiftSettings: strict),
    .target(
        name: "HostileServing", dependencies: ["ToolSupport"], path: "Tests/Support/HostileServer",
        swiftSettings: strict),
    // Judges many pairs of schema and value, for Tests/schema/compare.py.
    .executableTarget(
        name: "SchemaRunner", dependencies: ["ReqcliJSONSchema"], path: "Tests/Support/SchemaRunner",
        swiftSettings: strict),
    // Prints YAML files as JSON, for Tests/yaml/compare.py.
    .executableTarget(
        name: "YAMLRunner", dependencies: ["ReqcliText"], path: "Tests/Support/YAMLRunner", swiftSettings: strict),
    // A server for measurements.
    .executableTarget(
        name: "ServingRunner", dependencies: ["ReqcliServing"], path: "Tests/Support/ServingRunner",
        swiftSettings: strict),
]

let allTests: [Target] =
    tests(
        "Text",
        [
            "BasicsTests": ["ReqcliBasics"],
            "TextTests": ["ReqcliJSONSchema"],
            "JSONRPCTests": ["JSONRPC"],
            "JSONPathTests": ["ReqcliJSONPath"],
            "JSONSchemaTests": ["ReqcliJSONSchema"],
            "OpenAPITests": ["ReqcliOpenAPI"],
        ])
    + tests(
        "HTTP",
        [
            "HTTPWireTests": ["HTTPWire"],
            "RequestBuildingTests": ["RequestBuilding"],
            "ExchangeTests": ["Exchange", "HostileServing"],
            "ServingTests": ["ReqcliServing"],
            "OAuthTests": ["OAuth"],
        ])
    + tests(
        "Workspace",
        [
            "RedactionTests": ["ReqcliRedaction"],
            "FunctionsTests": ["ReqcliFunctions", "ToolSupport"],
            "DefinitionsTests": ["ReqcliDefinitions", "ToolSupport"],
            "AssemblyTests": ["ReqcliAssembly"],
            "RenderingTests": ["Rendering", "ToolSupport"],
        ])
    + tests(
        "Work",
        [
            "ShapesTests": ["Shapes"],
            "CheckingTests": ["Checking", "ToolSupport"],
            "LoadTestingTests": ["LoadTesting"],
            "MockingTests": ["ReqcliMocking"],
            "StubServingTests": ["StubServing"],
            "ImportingTests": ["Importing", "ReqcliAssembly", "ToolSupport"],
            "ExportingTests": ["Exporting", "ToolSupport", "reqcli"],
            "GeneratingTests": ["Generating", "ToolSupport", "reqcli"],
        ])
    + tests(
        "Program",
        [
            "CommandLineKitTests": ["CommandLineKit"],
            "CommandTests": ["Commands"],
            "DocumentationTests": ["Commands", "ToolSupport", "reqcli"],
            "EndToEndTests": ["ToolSupport", "reqcli"],
            "SendTests": ["Commands", "HostileServing", "reqcli"],
            "StubTests": ["Commands", "HostileServing", "reqcli"],
            "CheckTests": ["HostileServing", "reqcli"],
            "LoadTests": ["HostileServing", "reqcli"],
            "ServeTests": ["HostileServing", "reqcli"],
            "WireTests": ["Commands", "ToolSupport", "reqcli"],
        ])

var products: [Product] = [
    .executable(name: "reqcli", targets: ["reqcli"]),
    .library(name: "RequestBuilding", targets: ["RequestBuilding"]),
    .library(name: "Exchange", targets: ["Exchange"]),
    // Only for generated Swift with functions or an HMAC.
    .library(name: "ReqcliFunctions", targets: ["ReqcliFunctions"]),
]
#if os(Linux)
// Its server stands on epoll.
products.append(.library(name: "StubServing", targets: ["StubServing"]))
#endif

let package = Package(
    name: "reqcli",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: products,
    targets: c + text + http + workspace + work + program + support + allTests
)
