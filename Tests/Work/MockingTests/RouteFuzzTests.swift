import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import TestSupport
import Testing

@testable import ReqcliMocking

/// Endpoints and requests by chance.
@Suite struct RouteFuzzTests {
    static let count = RandomInputs.count(2_000)
    private static let requestsPerRouter = 50

    private static let segments = [
        "a", "b", "ab", "a.b", "{{n}}", "{{n}}", "{{id}}", "{{o}}", "{{n}}.json", "x{{n}}", "x{{n}}y{{id}}",
        "{{n}}{{id}}", "{{n}}-{{o}}",
    ]
    private static let texts = [
        "a", "b", "ab", "a.b", "A", "", "7", "x", "xy", "x7y", "xay7", "a.json", ".json", "-", "a-b", "é", "%C3%A9",
        "%61", "a%2Fb", "%", "%2", "%00", "%FF", "+", "a%20b", ".", "..", "%2e%2E", "...",
        String(repeating: "xy", count: 300),
    ]

    private static func router(_ generator: inout SeededGenerator) throws -> Router {
        let endpoints = (0..<Int.random(in: 1...7, using: &generator)).map { number in
            let path = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                segments.randomElement(using: &generator) ?? ""
            }.joined(separator: "/")
            let method = ["GET", "GET", "POST", "HEAD", "OPTIONS"].randomElement(using: &generator) ?? "GET"
            let params = [
                ("n", #"{ "type": "string" }"#), ("id", #"{ "type": "integer" }"#),
                ("o", #"{ "type": "string", "required": false }"#),
            ].filter { path.contains("{{\($0.0)}}") }.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
            return #""e\#(number)": { "method": "\#(method)", "path": "\#(path)", "params": { \#(params) } }"#
        }
        return try EngineFixture().served(endpoints.joined(separator: ", ")).router
    }

    /// A request whose path is one by chance, or one of these patterns with its gaps filled by chance.
    private static func request(_ patterns: [RequestPattern], _ generator: inout SeededGenerator) -> IncomingRequest {
        var path = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            texts.randomElement(using: &generator) ?? ""
        }
        if Bool.random(using: &generator), let pattern = patterns.randomElement(using: &generator) {
            path = pattern.segments.dropFirst().map { segment in
                segment.text.pieces.map { piece in
                    if case .literal(let text) = piece { text } else { texts.randomElement(using: &generator) ?? "" }
                }.joined()
            }
        }
        let method = ["GET", "GET", "POST", "HEAD", "OPTIONS", "get"].randomElement(using: &generator) ?? "GET"
        let start = ["/v1/", "/v1/", "/v1/", "/", "", "*", "//v1/"].randomElement(using: &generator) ?? ""
        return IncomingRequest(
            method: method, path: start + path.joined(separator: "/"),
            query: ["a=1", "n", "=&&=%", nil].randomElement(using: &generator) ?? nil, headers: [],
            body: ["", "x", "{"].randomElement(using: &generator).map { Array($0.utf8) } ?? [])
    }

    @Test("Of many endpoints the one is found that is found alone, with the most specific path")
    func routes() throws {
        var generator = SeededGenerator(seed: 14)
        var found = 0
        for _ in 0..<max(1, Self.count / Self.requestsPerRouter) {
            let router = try Self.router(&generator)
            let alone = router.patterns.map { Router([$0], SchemaStore()) }
            for _ in 0..<Self.requestsPerRouter {
                let request = Self.request(router.patterns, &generator)
                if Self.isRight(router, alone, request, &found) { continue }
                Issue.record("\(request.method) \(request.path) of \(router.patterns.map(Self.shown))")
            }
        }
        #expect(found > Self.count / 20)
    }

    private static func shown(_ pattern: RequestPattern) -> String {
        "\(pattern.method) \(pattern.endpoint.path(in: pattern.maker.environment))"
    }

    private static func isRight(
        _ router: Router, _ alone: [Router], _ request: IncomingRequest, _ found: inout Int
    ) -> Bool {
        let results = alone.map { $0.route(request) }
        let fitting = zip(router.patterns, results).filter { if case .found = $0.1 { true } else { false } }.map(\.0)
        _ = router.nearest(to: request)
        switch router.route(request) {
        case .dotSegment: return request.segments.contains(".") || request.segments.contains("..")
        case .nothing: return results.allSatisfy { if case .nothing = $0 { true } else { false } }
        case .otherMethods(let methods):
            let all = results.flatMap { result -> [String] in
                if case .otherMethods(let methods) = result { methods } else { [] }
            }
            // The server itself answers OPTIONS.
            return fitting.isEmpty && methods == Set(all).sorted()
                && (request.method == "OPTIONS" || !methods.contains(request.method))
        case .found(let pattern, let reading):
            found += 1
            let isKnown = reading.parameters.all.allSatisfy { pattern.endpoint.parameters[named: $0.name] != nil }
            return isKnown && fitting.contains { $0.endpoint.id == pattern.endpoint.id }
                && fitting.allSatisfy { !$0.isMoreSpecific(than: pattern, for: request) }
        }
    }

    @Test(
        "What a text has in the gaps of a pattern is what makes the text of it, and every text is read that is made so")
    func texts() {
        var generator = SeededGenerator(seed: 15)
        let letters = ["a", "b", "ab", "aa", "é", ".", "{", "\u{0}"]
        var read = 0
        for _ in 0..<Self.count {
            let pieces = (0..<Int.random(in: 1...5, using: &generator)).map { _ -> String? in
                Bool.random(using: &generator) ? nil : letters.randomElement(using: &generator)
            }
            let pattern = TextPattern(pieces.map { $0 ?? Self.gap }.joined())
            func text() -> String {
                (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                    letters.randomElement(using: &generator) ?? ""
                }.joined()
            }
            let made = pieces.map { $0 ?? text() }.joined()
            let isRead = pattern.values(in: made).map { Self.filled(pieces, $0) == made } ?? false
            #expect(isRead, "\(made) by \(pieces)")
            let other = text()
            for allowsEmpty in [false, true] {
                guard let values = pattern.values(in: other, allowsEmpty: allowsEmpty) else { continue }
                read += 1
                let isRight = Self.filled(pieces, values) == other && (allowsEmpty || !values.contains(""))
                #expect(isRight, "\(other) by \(pieces): \(values)")
            }
        }
        #expect(read > Self.count / 10)
    }

    private static let gap = StandIn.text(for: .parameter("n"))

    private static func filled(_ pieces: [String?], _ values: [String]) -> String {
        var left = values[...]
        return pieces.map { $0 ?? left.popFirst() ?? "?" }.joined() + (left.isEmpty ? "" : "?")
    }
}

extension RequestPattern {
    /// Whether the path is more specific, segment by segment from the left. Paths that may lack a segment have several shapes.
    fileprivate func isMoreSpecific(than other: RequestPattern, for request: IncomingRequest) -> Bool {
        let isPlain = !segments.contains(where: \.isOptional) && !other.segments.contains(where: \.isOptional)
        // HEAD comes before GET within a shape only.
        guard isPlain, method == other.method else { return false }
        for (one, two) in zip(segments, other.segments) {
            if one.text.rank != two.text.rank { return one.text.rank < two.text.rank }
            // As many literal bytes in other places: the one that stands first in the files.
            if one.text.shape != two.text.shape { return false }
        }
        return false
    }
}

extension TextPattern {
    /// The literals, and nil for each gap.
    fileprivate var shape: [String?] { pieces.map { if case .literal(let text) = $0 { text } else { nil } } }

    /// Lower for the more specific text.
    fileprivate var rank: Int { literal != nil ? .min : onlyGap != nil ? .max : -weight }
}
