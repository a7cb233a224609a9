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

/// Functions of CLibcurl that a dynamic FoundationNetworking is to find in the program before those of libcurl
/// (`Sources/CLibcurlOverrides/heads.h`). The release program is linked statically and needs no export.
let exportedForwarders = ["curl_easy_setopt", "curl_easy_cleanup", "curl_multi_info_read"].flatMap {
    ["-Xlinker", "--export-dynamic-symbol=\($0)"]
}

/// The library's loader and its server are for Linux. Elsewhere `Exchange` sends with URLSession as it is. The loader is no
/// target of its own: it makes the responses that `Exchange` hands out, so that their types would need one more target below.
#if os(Linux)
    let loader: (targets: [Target.Dependency], excluded: [String]) = (["CLibcurl"], [])
    let serving: [Product] = [.library(name: "StubServing", targets: ["StubServing"])]
#else
    let loader: (targets: [Target.Dependency], excluded: [String]) = ([], ["Loader"])
    let serving: [Product] = []
#endif

let package = Package(
    name: "reqcli",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .executable(name: "reqcli", targets: ["reqcli"]),
        .library(name: "RequestBuilding", targets: ["RequestBuilding"]),
        .library(name: "Exchange", targets: ["Exchange"]),
    ] + serving,
    targets: [
        // Leaves: they import nothing of ours, or only another leaf.
        .target(name: "ASCII", swiftSettings: strict),
        .target(name: "Locks", swiftSettings: strict),
        .target(name: "Networking", swiftSettings: strict),
        .target(name: "NearNames", swiftSettings: strict),
        .target(name: "TerminalText", swiftSettings: strict),
        .target(name: "SourceText", dependencies: ["ASCII", "Locks", "TerminalText"], swiftSettings: strict),
        .target(
            name: "CommandLineKit", dependencies: ["ASCII", "NearNames", "SourceText", "TerminalText"],
            swiftSettings: strict),
        .target(name: "ShellWords", dependencies: ["ASCII", "SourceText"], swiftSettings: strict),
        .target(name: "HTTPWire", dependencies: ["ASCII"], swiftSettings: strict),
        // Calls of Linux that Swift's module of Glibc doesn't show.
        .target(name: "CServing"),
        .target(name: "Serving", dependencies: ["ASCII", "CServing", "HTTPWire", "Locks"], swiftSettings: strict),
        .target(name: "EventStreams", dependencies: ["ASCII"], swiftSettings: strict),
        .target(name: "RequestBuilding", dependencies: ["ASCII", "Locks", "Networking"], swiftSettings: strict),
        .target(name: "Redaction", dependencies: ["ASCII", "SourceText"], swiftSettings: strict),
        .target(name: "IRegexp", dependencies: ["Locks"], swiftSettings: strict),
        .target(name: "CDecoders"),
        .target(name: "ContentCoding", dependencies: ["CDecoders"], swiftSettings: strict),
        .target(name: "JSONPrinting", dependencies: ["ASCII", "SourceText", "TerminalText"], swiftSettings: strict),
        .target(name: "JSONPath", dependencies: ["ASCII", "IRegexp", "SourceText"], swiftSettings: strict),
        .target(
            name: "JSONSchema", dependencies: ["ASCII", "IRegexp", "Locks", "NearNames", "SourceText"],
            swiftSettings: strict),
        .target(name: "YAMLText", dependencies: ["ASCII", "SourceText"], swiftSettings: strict),
        .target(
            name: "OpenAPI", dependencies: ["ASCII", "IRegexp", "JSONSchema", "Locks", "SourceText", "YAMLText"],
            swiftSettings: strict),
        .target(name: "Shapes", dependencies: ["ASCII", "JSONPath", "SourceText"], swiftSettings: strict),
        // The arrows point one way: each target may import those listed, and no other.
        .target(
            name: "Definitions",
            dependencies: [
                "ASCII", "IRegexp", "JSONPath", "JSONSchema", "Locks", "NearNames", "OpenAPI", "RequestBuilding",
                "SourceText",
            ],
            swiftSettings: strict),
        .target(name: "CSpawn"),
        .target(name: "CLibcurl"),
        // Takes the place of functions of libcurl, the libraries below it and Foundation, so that only the program may link it.
        .target(
            name: "CLibcurlOverrides", dependencies: ["CLibcurl"], cSettings: [.headerSearchPath("../CLibcurl")]),
        .target(name: "COlderLibc"),
        .target(
            name: "Exchange",
            dependencies: ["ASCII", "ContentCoding", "HTTPWire", "Locks", "Networking", "RequestBuilding"]
                + loader.targets,
            exclude: loader.excluded,
            swiftSettings: strict),
        .target(
            name: "Assembly",
            dependencies: [
                "ASCII", "CSpawn", "CommandLineKit", "Definitions", "Locks", "NearNames", "Networking", "Redaction",
                "RequestBuilding", "SourceText",
            ],
            swiftSettings: strict),
        .target(
            name: "Matching",
            dependencies: [
                "Definitions", "IRegexp", "JSONPath", "JSONSchema", "Redaction", "SourceText", "TerminalText",
            ],
            swiftSettings: strict),
        .target(
            name: "Checking",
            dependencies: [
                "ASCII", "Assembly", "CommandLineKit", "ContentCoding", "Definitions", "EventStreams", "HTTPWire",
                "IRegexp",
                "JSONPath", "JSONPrinting", "JSONSchema", "Locks", "Matching", "NearNames", "OpenAPI", "Redaction",
                "RequestBuilding", "Shapes", "SourceText", "TerminalText",
            ],
            swiftSettings: strict),
        .target(
            name: "Importing",
            dependencies: [
                "ASCII", "Definitions", "IRegexp", "JSONPath", "JSONSchema", "NearNames", "OpenAPI", "Redaction",
                "RequestBuilding", "ShellWords", "SourceText", "YAMLText",
            ],
            swiftSettings: strict),
        .target(
            name: "Exporting",
            dependencies: [
                "ASCII", "Assembly", "CommandLineKit", "Definitions", "JSONPath", "Rendering", "RequestBuilding",
                "SourceText",
            ],
            swiftSettings: strict),
        .target(
            name: "Mocking",
            dependencies: [
                "ASCII", "Assembly", "CommandLineKit", "ContentCoding", "Definitions", "Exchange", "HTTPWire",
                "JSONPath",
                "Locks", "Matching", "NearNames", "Redaction", "RequestBuilding", "SourceText",
            ],
            swiftSettings: strict),
        .target(
            name: "Recording",
            dependencies: [
                "ASCII", "Assembly", "Checking", "CommandLineKit", "ContentCoding", "Definitions", "Exchange", "Locks",
                "Matching", "Mocking", "Redaction", "RequestBuilding", "SourceText",
            ],
            swiftSettings: strict),
        .target(
            name: "StubServing",
            dependencies: [
                "ASCII", "Assembly", "CommandLineKit", "Definitions", "Exchange", "HTTPWire", "Locks", "Mocking",
                "RequestBuilding", "Serving", "SourceText",
            ],
            swiftSettings: strict),
        .target(
            name: "Generating",
            dependencies: [
                "ASCII", "Assembly", "CommandLineKit", "Definitions", "Exchange", "Mocking", "OpenAPI",
                "RequestBuilding", "SourceText",
            ],
            swiftSettings: strict),
        .target(
            name: "Rendering", dependencies: ["ASCII", "Redaction", "RequestBuilding", "SourceText"],
            swiftSettings: strict),
        .target(
            name: "Commands",
            dependencies: [
                "ASCII", "Assembly", "Checking", "CommandLineKit", "ContentCoding", "Definitions", "EventStreams",
                "Exchange", "Exporting", "Generating", "HTTPWire", "IRegexp", "Importing", "JSONPath", "JSONPrinting",
                "JSONSchema", "Locks", "Matching", "Mocking", "NearNames", "Networking", "Recording", "Redaction",
                "Rendering", "RequestBuilding", "Serving", "Shapes", "SourceText", "StubServing", "TerminalText",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "reqcli", dependencies: ["CLibcurlOverrides", "COlderLibc", "CommandLineKit", "Commands", "Locks"],
            swiftSettings: strict,
            linkerSettings: [.unsafeFlags(exportedForwarders, .when(configuration: .debug))]),
        .target(
            name: "TestSupport", dependencies: ["Assembly", "CommandLineKit", "Definitions", "Locks"],
            path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "HostileServing", dependencies: ["TestSupport"], path: "Tests/HostileServer", swiftSettings: strict),
        // Judges many pairs of schema and value, for Tests/schema/compare.py.
        .executableTarget(
            name: "SchemaRunner", dependencies: ["JSONSchema", "SourceText"], path: "Tests/SchemaRunner",
            swiftSettings: strict),
        // Prints YAML files as JSON, for Tests/yaml/compare.py.
        .executableTarget(
            name: "YAMLRunner", dependencies: ["SourceText", "YAMLText"], path: "Tests/YAMLRunner",
            swiftSettings: strict),
        // A server for measurements.
        .executableTarget(
            name: "ServingRunner", dependencies: ["HTTPWire", "Serving"], path: "Tests/ServingRunner",
            swiftSettings: strict),
        // Runs the built program in processes of its own.
        .target(name: "CToolSpawn", path: "Tests/CToolSpawn"),
        .target(
            name: "ToolSupport", dependencies: ["CSpawn", "CToolSpawn", "Locks", "TestSupport"],
            path: "Tests/ToolSupport",
            swiftSettings: strict),
        .testTarget(name: "NearNamesTests", dependencies: ["NearNames"], swiftSettings: strict),
        .testTarget(name: "TerminalTextTests", dependencies: ["TerminalText"], swiftSettings: strict),
        .testTarget(name: "HTTPWireTests", dependencies: ["HTTPWire", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ServingTests", dependencies: ["HTTPWire", "Locks", "Serving", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "EventStreamTests", dependencies: ["EventStreams", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ContentCodingTests", dependencies: ["ContentCoding", "TestSupport", "ToolSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "CheckingTests",
            dependencies: [
                "Assembly", "Checking", "CommandLineKit", "Definitions", "Locks", "Matching", "Redaction",
                "RequestBuilding", "SourceText", "TerminalText", "TestSupport", "ToolSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CommandLineKitTests", dependencies: ["CommandLineKit", "Locks", "TerminalText", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "Assembly", "CommandLineKit", "Commands", "Definitions", "Exchange", "Locks", "Networking",
                "RequestBuilding", "SourceText", "TerminalText", "TestSupport",
            ],
            swiftSettings: strict),
        // Depends on the program so that it is built: the tests start the file beside their own.
        .testTarget(
            name: "EndToEndTests", dependencies: ["TestSupport", "ToolSupport", "reqcli"], swiftSettings: strict),
        .testTarget(
            name: "ServeTests", dependencies: ["HostileServing", "Locks", "TestSupport", "ToolSupport", "reqcli"],
            swiftSettings: strict),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "CommandLineKit", "Commands", "Definitions", "SourceText", "TestSupport", "ToolSupport", "reqcli",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SourceTextTests", dependencies: ["SourceText", "TerminalText", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "YAMLTextTests", dependencies: ["JSONSchema", "SourceText", "YAMLText", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "IRegexpTests", dependencies: ["IRegexp", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "DefinitionsTests",
            dependencies: ["Definitions", "NearNames", "SourceText", "TerminalText", "TestSupport", "ToolSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "JSONPrintingTests",
            dependencies: ["ASCII", "JSONPrinting", "SourceText", "TerminalText", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "JSONPathTests", dependencies: ["JSONPath", "SourceText", "TerminalText", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "JSONSchemaTests", dependencies: ["JSONSchema", "Locks", "SourceText", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "OpenAPITests", dependencies: ["JSONSchema", "OpenAPI", "SourceText", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ShapesTests", dependencies: ["JSONPath", "Shapes", "SourceText", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ExportingTests",
            dependencies: [
                "Assembly", "Definitions", "Exporting", "SourceText", "TestSupport", "ToolSupport", "reqcli",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GeneratingTests", dependencies: ["Generating", "TestSupport", "ToolSupport", "reqcli"],
            swiftSettings: strict),
        .testTarget(
            name: "ImportingTests",
            dependencies: ["Definitions", "Importing", "ShellWords", "SourceText", "TestSupport", "ToolSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "RequestBuildingTests", dependencies: ["Locks", "Networking", "RequestBuilding", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AssemblyTests",
            dependencies: [
                "Assembly", "CommandLineKit", "Definitions", "Locks", "Networking", "Redaction", "RequestBuilding",
                "SourceText", "TerminalText", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "MockingTests",
            dependencies: [
                "Assembly", "CommandLineKit", "Definitions", "Exchange", "Mocking", "SourceText", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "StubServingTests",
            dependencies: ["Exchange", "Mocking", "RequestBuilding", "Serving", "StubServing", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "RedactionTests", dependencies: ["Redaction", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ExchangeTests",
            dependencies: [
                "CLibcurl", "Exchange", "HostileServing", "Locks", "Networking", "RequestBuilding", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "RenderingTests",
            dependencies: ["Networking", "Redaction", "Rendering", "RequestBuilding", "TestSupport", "ToolSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ShellWordsTests", dependencies: ["ShellWords", "SourceText", "TestSupport", "ToolSupport"],
            swiftSettings: strict),
        // Depends on the program so that it is built: the tests start the file beside their own.
        .testTarget(
            name: "StubTests",
            dependencies: [
                "Assembly", "CommandLineKit", "Commands", "Definitions", "Exchange", "HostileServing", "Locks",
                "Mocking", "Networking", "Recording", "Redaction", "RequestBuilding", "SourceText", "TestSupport",
                "ToolSupport", "reqcli",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SendTests",
            dependencies: ["Commands", "HostileServing", "Locks", "TestSupport", "ToolSupport", "reqcli"],
            swiftSettings: strict),
        .testTarget(
            name: "CheckTests", dependencies: ["HostileServing", "TestSupport", "ToolSupport", "reqcli"],
            swiftSettings: strict),
        .testTarget(
            name: "WireTests",
            dependencies: [
                "Assembly", "CommandLineKit", "Commands", "Definitions", "Locks", "Networking", "Redaction",
                "Rendering", "RequestBuilding", "SourceText", "TestSupport", "ToolSupport", "reqcli",
            ],
            swiftSettings: strict),
    ]
)
