import ReqcliAssembly
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

/// The merge is the request builder: whatever the layers say, the request is the one that the library's operators make,
/// applied one after the other, although what is shadowed is never resolved.
@Suite("The merge and the builder")
struct BuilderReplayTests {
    /// One thing that a layer says.
    enum Word: Equatable {
        case header(String, [String]?)
        case query(String, [String]?)
        case body(String, String)
        case noBody

        var text: String {
            switch self {
            case .header(let name, let values), .query(let name, let values):
                "\"\(name)\": " + (values.map { "[" + $0.map { "\"\($0)\"" }.joined(separator: ", ") + "]" } ?? "null")
            case .body(let kind, let text): #""body": {"\#(kind)": "\#(text)"}"#
            case .noBody: #""body": null"#
            }
        }

        func apply(to builder: RequestBuilder, in layer: Layer) -> RequestBuilder {
            switch self {
            case .header(let name, let values):
                builder.header(
                    name, values: values ?? [],
                    bodyTie: layer < .endpoint ? RequestOperator.BodyTie(ofSharedHeader: name) : .none)
            case .query(let name, let values): builder.queryItem(name, values: values ?? [])
            case .body("text", let text): builder.textBody(text)
            case .body(_, let text): builder.body(Data("\"\(text)\"".utf8), contentType: "application/json")
            case .noBody: builder.removingBody()
            }
        }
    }

    struct Case {
        var layers: [Layer: [Word]] = [:]

        init(_ random: inout SeededGenerator) {
            for layer in Layer.allCases where layer != .commandLine {
                layers[layer] = words(in: layer, &random)
            }
        }

        private func words(in layer: Layer, _ random: inout SeededGenerator) -> [Word] {
            var words: [Word] = []
            // As Assembly has it: the body before the headers beside it.
            if layer >= .endpoint, Bool.random(using: &random) {
                words.append(
                    [.body("text", "\(layer)"), .body("json", "\(layer)"), .noBody].randomElement(using: &random)
                        ?? .noBody)
            }
            for name in ["A", "B", "Content-Type"].shuffled(using: &random)
            where Int.random(in: 0..<3, using: &random) > 0 {
                words.append(.header(name, values(&random)))
            }
            for name in ["p", "q", "é &="].shuffled(using: &random) where Int.random(in: 0..<3, using: &random) > 0 {
                words.append(.query(name, values(&random)))
            }
            return words
        }

        private func values(_ random: inout SeededGenerator) -> [String]? {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: nil
            case 1: ["\(random.next() % 90)", "\(random.next() % 90)"]
            default: ["\(random.next() % 90)"]
            }
        }

        var scenario: Scenario {
            Layer.scenario(
                layers.mapValues { words in
                    let headers = words.filter { if case .header = $0 { true } else { false } }
                    let query = words.filter { if case .query = $0 { true } else { false } }
                    let others = words.filter { !headers.contains($0) && !query.contains($0) }.map(\.text)
                    func object(_ name: String, _ words: [Word]) -> [String] {
                        words.isEmpty ? [] : ["\"\(name)\": {" + words.map(\.text).joined(separator: ", ") + "}"]
                    }
                    return (others + object("headers", headers) + object("query", query)).joined(separator: ", ")
                })
        }

        /// The library's operators, one after the other.
        func replayed() throws -> PreparedRequest {
            let start = RequestBuilder().baseURL("http://h").header("User-Agent", "reqcli/test").header("Accept", "*/*")
            return try Layer.allCases.reduce(start) { builder, layer in
                (layers[layer] ?? []).reduce(builder) { $1.apply(to: $0, in: layer) }
            }
            .prepared()
        }
    }

    @Test("The request is the one that all operators make, one after the other")
    func replay() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<400 {
            let one = Case(&random)
            let request = try one.scenario.assembled().request
            let expected = try one.replayed()
            try #require(request.headers == expected.headers, "\(one.scenario.files)")
            try #require(request.url.absoluteString == expected.url.absoluteString, "\(one.scenario.files)")
            try #require(request.body == expected.body, "\(one.scenario.files)")
        }
    }
}
