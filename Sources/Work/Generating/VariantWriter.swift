import Exchange
import Foundation
import ReqcliDefinitions
import ReqcliMocking
import ReqcliText
import RequestBuilding

/// Writes the stub variants of an endpoint.
struct VariantWriter {
    /// The responses of a variant in their order, and what happens after the last response.
    struct Responses {
        let stubs: [Stub]
        let afterwards: StubTransport.Afterwards

        /// Whether the first response isn't a failure.
        var isSuccess: Bool { stubs.first.map { $0.error == nil && $0.status < 400 } ?? false }
    }

    /// The name of the Swift type for the call.
    let call: String
    let endpoint: LocatedEndpoint
    /// The variants: the name of the case, the name in the files, the summary, and the responses.
    let variants: [(name: String, source: String, summary: String, responses: Responses)]
    private(set) var notes: [ConversionNote] = []

    /// The variants that are chosen by conditions on the call.
    private var conditions: [(name: String, expressions: [String], statements: [(inout CodeLines) -> Void])] = []
    var decidesByCall: Bool { !conditions.isEmpty }
    /// The name of the variant that responds if no variant is chosen; nil if all variants are failures.
    let standard: String?

    init?(_ endpoint: LocatedEndpoint, call: String, maker: CallMaker, of workspace: Workspace) throws(Failure) {
        let all = endpoint.definition.stubs?.variants ?? []
        self.endpoint = endpoint
        self.call = call
        guard let first = all.first else {
            guard let sample = SampleResponse.stub(of: endpoint, in: workspace) else { return nil }
            variants = [
                (
                    "standard", "standard", "A response made from the schema.",
                    Responses(stubs: [sample], afterwards: .last)
                )
            ]
            standard = "standard"
            return
        }
        let hiddenNames = maker.hiddenNames
        var variants: [(name: String, source: String, summary: String, responses: Responses)] = []
        let sent = Set(endpoint.parameters.filter(endpoint.sends).map(\.name))
        var code = ConditionCode(
            parameters: maker.parametersInCall.filter { sent.contains($0.key) }, hasBody: !endpoint.mayReadFiles)
        for variant in all {
            let script = try workspace.stubs(variant.name, of: endpoint, ifUnknown: .broken)
            let hasEnd = variant.value.sequence != nil && variant.value.afterLast == .fail
            // The last stub is this error and not a response.
            let stubs = hasEnd ? Array(script.stubs.prefix(script.stubs.count - 1)) : script.stubs
            let responses = Responses(stubs: stubs, afterwards: hasEnd ? .fail : script.afterwards)
            variants.append((Self.caseName(of: variant.name), variant.name, variant.value.summary ?? "", responses))
            if script.stubs.contains(where: \.isFilled) {
                notes.append(
                    ConversionNote(
                        .lost, "placeholders in a stub are not filled", "\(endpoint.id), \(variant.name)",
                        at: variant.namePlace))
            }
            guard let condition = variant.value.condition else { continue }
            if let expressions = code.expressions(condition) {
                conditions.append((Self.caseName(of: variant.name), expressions, code.takeStatements()))
                if condition.parameters.contains(where: { hiddenNames.contains($0.name) }) {
                    notes.append(
                        ConversionNote(
                            .lost,
                            "the generated condition reads a param of the call; reqcli reads the param in the request, where a $switch or functions may hide it",
                            "\(endpoint.id), \(variant.name)", at: variant.namePlace))
                }
            } else {
                _ = code.takeStatements()
                notes.append(
                    ConversionNote(
                        .lost, "a condition of a stub variant is not converted", "\(endpoint.id), \(variant.name)",
                        at: variant.namePlace))
            }
        }
        var clashes = NameClashes(what: "stub variant")
        for variant in all {
            clashes.add(
                Self.caseName(of: variant.name), "\(endpoint.id): \(variant.name)", at: variant.namePlace)
        }
        try clashes.check()
        self.variants = variants
        let fallback = EndpointVariants(endpoint, workspace.schemas).fallback(rest: nil)
        standard = variants.contains { $0.responses.isSuccess } ? fallback ?? first.name : nil
        if fallback == nil {
            notes.append(
                ConversionNote(
                    .lost, "a call that meets no condition gets the first stub variant", endpoint.id,
                    at: first.namePlace))
        }
    }

    static func caseName(of name: String) -> String {
        SwiftNames.value(
            name, role: "case",
            taken: ["stubs", "afterwards", "variant", "allCases", "rawValue", "hashValue", "namedStubs"])
    }

    func write(to lines: inout CodeLines) {
        lines.block("extension \(call)") { lines in
            lines.document(["The stub variants of `\(endpoint.id)`."])
            lines.block("public enum Variant: String, StubVariant") { lines in
                for (name, source, summary, _) in variants {
                    lines.document([summary])
                    lines.add(
                        "case \(SwiftNames.quoted(name))"
                            + (name == source ? "" : " = \(SwiftText.literal(source))"))
                }
                lines.add()
                lines.document(["The call that the variants respond to."])
                lines.add("public typealias Call = \(call)")
                lines.add()
                lines.document(["The responses, in the order in which they are given."])
                lines.block("public var stubs: [Stub]") { lines in
                    if let only = variants.first?.responses, variants.count == 1 { return write(only, to: &lines) }
                    lines.add("switch self {")
                    for (name, _, _, responses) in variants {
                        write(responses, case: "case .\(SwiftNames.quoted(name)):", to: &lines)
                    }
                    lines.add("}")
                }
                writeAfterwards(to: &lines)
                writeConditions(to: &lines)
            }
        }
    }

    private func writeAfterwards(to lines: inout CodeLines) {
        let others = variants.filter { $0.responses.afterwards != .last }
        guard !others.isEmpty else { return }
        lines.add()
        lines.document(["What happens after the last of several responses."])
        lines.block("public var afterwards: StubTransport.Afterwards") { lines in
            lines.add("switch self {")
            for (name, _, _, responses) in others {
                lines.add("case .\(SwiftNames.quoted(name)): .\(responses.afterwards.rawValue)")
            }
            if others.count < variants.count { lines.add("default: .last") }
            lines.add("}")
        }
    }

    private func writeConditions(to lines: inout CodeLines) {
        guard !conditions.isEmpty else { return }
        lines.add()
        lines.document(["The variant for a call without a chosen variant."])
        lines.function(
            "public static func variant", ["for call: \(call)", "sentAs request: PreparedRequest"], " -> Self?"
        ) { lines in
            for condition in conditions {
                for statement in condition.statements { statement(&lines) }
                lines.block("if \(condition.expressions.joined(separator: ", "))") {
                    $0.add("return Self.\(SwiftNames.quoted(condition.name))")
                }
            }
            lines.add("return nil")
        }
    }

    private func write(_ responses: Responses, case pattern: String, to lines: inout CodeLines) {
        var body = CodeLines(level: lines.level + 1)
        write(responses, to: &body)
        if body.lines.count == 1 { return lines.add("\(pattern) \(body.lines[0].drop { $0 == " " })") }
        lines.add(pattern)
        lines.append(body)
    }

    private func write(_ responses: Responses, to lines: inout CodeLines) {
        let count = lines.lines.count
        let stubs = responses.stubs.enumerated().map { expression(of: $1, $0 + 1, to: &lines) }
        guard stubs.count > 1 || lines.lines.count > count else { return lines.add("return [\(stubs.joined())]") }
        lines.add("return [")
        lines.indented { lines in for stub in stubs { lines.add("\(stub),") } }
        lines.add("]")
    }

    /// The response as an expression. Statements that must come before it are added to `lines`.
    private func expression(of stub: Stub, _ number: Int, to lines: inout CodeLines) -> String {
        var operators = ""
        if let delay = stub.delay {
            operators +=
                delay.lowerBound == delay.upperBound
                ? ".delayed(by: \(delay.lowerBound.swiftLiteral))"
                : ".delayed(by: Duration\(delay.lowerBound.swiftLiteral)...Duration\(delay.upperBound.swiftLiteral))"
        }
        if let time = stub.bodyTime { operators += ".takingTime(\(time.swiftLiteral))" }
        let error = (stub.error as? TransportError)?.kind
        if let error, error != .truncated { return "Stub(error: \(Self.name(of: error)))\(operators)" }
        var arguments: [String] = []
        let data: Data = if case .data(let data) = stub.body { data } else { Data() }
        let isJSON = stub.headers == ["Content-Type": "application/json"]
        let text = String(validating: data, as: UTF8.self)
        if let text, !data.isEmpty {
            let body = constant(text, "body\(number)", to: &lines)
            arguments.append(isJSON ? "json: \(body)" : "data: Data(\(body).utf8)")
        } else if !data.isEmpty {
            let body = constant(data.base64EncodedString(), "body\(number)", to: &lines)
            arguments.append("data: Data(base64Encoded: \(body)) ?? Data()")
        }
        if stub.status != 200 || arguments.isEmpty { arguments.append("status: \(stub.status)") }
        if !stub.headers.isEmpty, !(isJSON && text != nil && !data.isEmpty) {
            let fields = stub.headers.map { "\(SwiftText.literal($0.name)): \(SwiftText.literal($0.value))" }
            arguments.append("headers: [\(fields.joined(separator: ", "))]")
        }
        let head = "Stub(\(arguments.joined(separator: ", ")))"
        guard error == .truncated else { return head + operators }
        let name = "truncated\(number)"
        lines.add("var \(name) = \(head)")
        lines.add("\(name).error = TransportError(.truncated, target: \"\")")
        return name + operators
    }

    private func constant(_ text: String, _ name: String, to lines: inout CodeLines) -> String {
        guard text.contains("\n") else { return SwiftText.literal(text) }
        lines.constant("let \(name)", of: text)
        return name
    }

    private static func name(of kind: TransportError.Kind) -> String {
        switch kind {
        case .refused: ".refused"
        case .dns: ".dns"
        case .reset: ".reset"
        case .tls: ".tls(.handshake)"
        case .truncated: ".truncated"
        default: ".timeout(.total)"
        }
    }
}

extension LocatedEndpoint {
    private var layers: [EndpointLayer] { [definition.request] + definition.environments.map(\.value) }

    /// Whether the request may contain the param. reqcli reads the param back from the request to check a condition.
    fileprivate func sends(_ parameter: Named<Parameter>) -> Bool {
        let placeholders = layers.flatMap { layer in
            layer.layer.placeholders + (layer.path?.set?.placeholders ?? [])
                + (layer.body?.set?.placeholders ?? [])
        }
        return (placeholders + (defaults?.layer.placeholders ?? [])).contains { $0.value == .name(parameter.name) }
            || layers.contains { $0.body?.set?.isGraphQL == true }
    }

    /// Whether the endpoint's body, in any environment, has bytes that are read from files while the body is sent.
    fileprivate var mayReadFiles: Bool {
        layers.contains { layer in
            switch layer.body?.set?.content {
            case .file: true
            case .multipart(let parts):
                parts.contains { if case .file = $0.value.source { true } else { false } }
            default: false
            }
        }
    }
}
