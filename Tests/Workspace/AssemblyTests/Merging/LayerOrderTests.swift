import ReqcliAssembly
@_spi(Generated) import RequestBuilding
import Testing

/// The layers from the first to the last.
enum Layer: Int, CaseIterable, Sendable, Comparable {
    case base
    case environment
    case defaults
    case endpoint
    case overlay
    case commandLine

    static func < (one: Layer, other: Layer) -> Bool { one.rawValue < other.rawValue }

    /// An endpoint `g.e` whose layers say these members, on top of a server `http://h`.
    static func scenario(_ said: [Layer: String], flags: [CommandLineOverride] = []) -> Scenario {
        func object(_ layer: Layer, and others: String = "") -> String {
            "{" + [others, said[layer] ?? ""].filter { !$0.isEmpty }.joined(separator: ", ") + "}"
        }
        var scenario = Scenario(
            object(.endpoint, and: #""description": "e""#),
            environment: object(.environment, and: #""extends": "base""#),
            defaults: object(.defaults), overlay: object(.overlay),
            bases: [
                "root": #"{"baseURL": "http://h"}"#, "base": object(.base, and: #""extends": "root""#),
            ])
        scenario.overrides = flags
        return scenario
    }
}

@Suite("The order of the layers")
struct LayerOrderTests {
    /// A setting that every layer can hold, with another value in each.
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let probe: Probe
        let member: @Sendable (Int) -> String
        var change: (@Sendable (Int) -> CommandLineOverride.Change)?
        let expected: @Sendable (Int) -> String
        var isOfEndpoint = false

        var testDescription: String { name }

        var layers: [Layer] {
            Layer.allCases.filter { layer in
                (layer != .commandLine || change != nil) && (!isOfEndpoint || layer >= .endpoint)
            }
        }

        func scenario(_ said: [Layer]) -> Scenario {
            let files = said.filter { $0 != .commandLine }
            let flags = said.contains(.commandLine) ? [change?(Layer.commandLine.rawValue)].compactMap(\.self) : []
            return Layer.scenario(
                Dictionary(files.map { ($0, member($0.rawValue)) }) { first, _ in first },
                flags: flags.map { CommandLineOverride($0, flag: "--flag") })
        }
    }

    static let kinds = [
        Kind(
            name: "host", probe: .url, member: { #""host": "h\#($0)""# }, change: { .baseURL("http://h\($0)") },
            expected: { "http://h\($0)" }),
        Kind(
            name: "baseURL", probe: .url, member: { #""baseURL": "http://h\#($0)/b""# },
            change: { .baseURL("http://h\($0)/b") }, expected: { "http://h\($0)/b" }),
        Kind(name: "port", probe: .url, member: { #""port": 808\#($0)"# }, expected: { "http://h:808\($0)" }),
        Kind(name: "basePath", probe: .url, member: { #""basePath": "/\#($0)""# }, expected: { "http://h/\($0)" }),
        Kind(
            name: "header", probe: .headers, member: { #""headers": {"X": "\#($0)"}"# },
            change: { .header("X", values: ["\($0)"]) }, expected: { "X: \($0)" }),
        Kind(
            name: "query", probe: .query, member: { #""query": {"x": "\#($0)"}"# },
            change: { .query("x", values: ["\($0)"]) }, expected: { "?x=\($0)" }),
        Kind(
            name: "auth", probe: .headers, member: { #""auth": {"bearer": "\#($0)"}"# },
            expected: { "Authorization: Bearer \($0)" }),
        Kind(
            name: "timeout", probe: .timeouts, member: { #""timeout": "\#($0 + 1)s""# },
            change: { .setting(.totalTimeout, .seconds($0 + 1)) },
            expected: { "connect 10s, idle 60s, total \($0 + 1)s" }),
        Kind(
            name: "cachePolicy", probe: .cachePolicy,
            member: { #""cachePolicy": "\#(Self.policies[$0])""# }, expected: { Self.policies[$0] }),
        Kind(
            name: "redirects.max", probe: .redirects, member: { #""redirects": {"max": \#($0)}"# },
            expected: { "max \($0)" }),
        Kind(
            name: "retry.times", probe: .retry, member: { #""retry": {"times": \#($0)}"# },
            change: { .setting(.retryTimes, $0) },
            expected: { "times \($0)" }),
        Kind(
            name: "tls.minVersion", probe: .tls,
            member: { #""tls": {"minVersion": "1.\#($0 % 4)"}"# }, expected: { "minVersion 1.\($0 % 4)" }),
        Kind(
            name: "method", probe: .line, member: { #""method": "M\#($0)""# }, expected: { "M\($0) http://h" },
            isOfEndpoint: true),
        Kind(
            name: "path", probe: .url, member: { #""path": "/p\#($0)""# }, expected: { "http://h/p\($0)" },
            isOfEndpoint: true),
        Kind(
            name: "body", probe: .body, member: { #""body": {"text": "\#($0)"}"# }, change: { .body(text: "\($0)") },
            expected: { "\($0)" }, isOfEndpoint: true),
    ]

    static let policies = [
        "reloadIgnoringLocalCacheData", "returnCacheDataElseLoad", "returnCacheDataDontLoad", "useProtocolCachePolicy",
        "reloadIgnoringLocalCacheData",
    ]

    @Test("A later layer beats each earlier one", arguments: kinds)
    func laterWins(_ kind: Kind) throws {
        for earlier in kind.layers {
            for later in kind.layers where later >= earlier {
                let found = kind.probe.read(try kind.scenario([earlier, later]).assembled())
                #expect(found == kind.expected(later.rawValue), "\(earlier) and \(later)")
            }
        }
    }

    @Test("With all layers the last one stands, and explain has the others in order, the nearest first")
    func everyLayer() throws {
        var said: [Layer: String] = [:]
        for layer in Layer.allCases where layer != .commandLine { said[layer] = #""headers": {"X": "\#(layer)"}"# }
        let flag = CommandLineOverride(.header("X", values: ["flag"]), flag: "-H 'X: flag'")
        let assembled = try Layer.scenario(said, flags: [flag]).assembled()
        #expect(Wire(assembled).headers == ["X: flag"])
        let row = try #require(Explanation(assembled).rows.first { $0.part == "header X" })
        #expect(row.standing.map(\.value) == ["flag"])
        #expect(row.shadowed.map(\.value) == ["overlay", "endpoint", "defaults", "environment", "base"])
        #expect(
            row.shadowed.map(\.layer) == [
                "endpoint g.e in env", "endpoint g.e", "defaults of g", "environment env", "environment base",
            ])
    }

    @Test("Of two bases the right one wins, and each base comes after its own bases")
    func leftToRight() throws {
        let wire = try Scenario(
            environment: #"{"extends": ["left", "right"], "headers": {"D": "env"}}"#,
            bases: [
                "root": #"{"baseURL": "http://h", "headers": {"A": "root", "B": "root", "C": "root", "D": "root"}}"#,
                "left": #"{"extends": "root", "headers": {"B": "left", "C": "left"}}"#,
                "right": #"{"extends": "root", "headers": {"C": "right", "D": "right"}}"#,
            ]
        ).wire()
        #expect(wire.headers == ["A: root", "B: left", "C: right", "D: env"])
    }

    @Test("What an endpoint says for an environment doesn't hold in those that extend it")
    func overlayIsExact() throws {
        var scenario = Scenario(
            #"{"environments": {"base": {"path": "/base"}, "env": {"path": "/env"}}}"#,
            environment: #"{"extends": "base"}"#, bases: ["base": #"{"baseURL": "http://h"}"#, "other": "{}"])
        #expect(try scenario.wire().target == "/env")
        #expect(try scenario.wire(in: "base").target == "/base")
        scenario.files["environments/other.json"] = #"{"extends": "base"}"#
        #expect(try scenario.wire(in: "other").target == "")
    }
}
