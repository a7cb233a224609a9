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
    }

    /// The name of the Swift type for the call.
    let call: String
    let endpoint: LocatedEndpoint
    let variants: [(name: String, variant: Named<VariantDefinition>, responses: Responses)]
    private(set) var notes: [ConversionNote] = []

    /// The variants that are chosen by conditions on the call.
    private var conditions: [(name: String, expressions: [String], statements: [(inout CodeLines) -> Void])] = []
    var decidesByCall: Bool { !conditions.isEmpty }
    /// The name of the variant that responds if no variant is chosen.
    let standard: String

    init?(_ endpoint: LocatedEndpoint, call: String, namesInChoices: Set<String>, of workspace: Workspace)
        throws(Failure)
    {
        let all = endpoint.definition.stubs?.variants ?? []
        guard let first = all.first else { return nil }
        self.endpoint = endpoint
        self.call = call
        var variants: [(name: String, variant: Named<VariantDefinition>, responses: Responses)] = []
        let parameters = endpoint.parameters.filter(endpoint.sends).map { ($0.name, ParameterCode($0)) }
        var code = ConditionCode(
            parameters: Dictionary(parameters, uniquingKeysWith: { first, _ in first }),
            hasBody: !endpoint.mayReadFiles)
        for variant in all {
            let script = try workspace.stubs(variant.name, of: endpoint, ifUnknown: .broken)
            let hasEnd = variant.value.sequence != nil && variant.value.afterLast == .fail
            // The last stub is this error and not a response.
            let stubs = hasEnd ? Array(script.stubs.prefix(script.stubs.count - 1)) : script.stubs
            let responses = Responses(stubs: stubs, afterwards: hasEnd ? .fail : script.afterwards)
            variants.append((Self.caseName(of: variant.name), variant, responses))
            if script.stubs.contains(where: \.isFilled) {
                notes.append(
                    ConversionNote(
                        .lost, "placeholders in a stub are not filled", "\(endpoint.id), \(variant.name)",
                        at: variant.namePlace))
            }
            guard let condition = variant.value.condition else { continue }
            if let expressions = code.expressions(condition) {
                conditions.append((Self.caseName(of: variant.name), expressions, code.takeStatements()))
                if condition.parameters.contains(where: { namesInChoices.contains($0.name) }) {
                    notes.append(
                        ConversionNote(
                            .lost,
                            "the generated condition reads a param of the call; reqcli reads the param in the request, where a $switch may hide it",
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
        for (name, variant, _) in variants {
            clashes.add(name, "\(endpoint.id): \(variant.name)", at: variant.namePlace)
        }
        try clashes.check()
        self.variants = variants
        let fallback = EndpointVariants(endpoint, workspace.schemas).fallback(rest: nil)
        standard = fallback ?? first.name
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
                for (name, variant, _) in variants {
                    lines.document([variant.value.summary ?? ""])
                    lines.add(
                        "case \(SwiftNames.quoted(name))"
                            + (name == variant.name ? "" : " = \(SwiftText.literal(variant.name))"))
                }
                lines.add()
                lines.document(["The call that the variants respond to."])
                lines.add("public typealias Call = \(call)")
                lines.add()
                lines.document(["The responses, in the order in which they are given."])
                lines.block("public var stubs: [Stub]") { lines in
                    lines.add("switch self {")
                    for (name, _, responses) in variants {
                        lines.add("case .\(SwiftNames.quoted(name)):")
                        lines.indented { write(responses, to: &$0) }
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
            for (name, _, responses) in others {
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
                let head = "if \(condition.expressions.joined(separator: ", "))"
                let end = "return Self.\(SwiftNames.quoted(condition.name))"
                if lines.indentation + head.count + 2 <= CodeLines.width {
                    lines.block(head) { $0.add(end) }
                    continue
                }
                lines.add("let is\(condition.name.prefix(1).uppercased())\(condition.name.dropFirst()) = [")
                lines.indented { lines in
                    for (index, one) in condition.expressions.enumerated() {
                        lines.add(condition.expressions.count > 1 || index > 0 ? "\(one)," : one)
                    }
                }
                lines.add("].allSatisfy(\\.self)")
                lines.block("if is\(condition.name.prefix(1).uppercased())\(condition.name.dropFirst())") {
                    $0.add(end)
                }
            }
            lines.add("return nil")
        }
    }

    private func write(_ responses: Responses, to lines: inout CodeLines) {
        let stubs = responses.stubs
        if stubs.count == 1 {
            let expression = expression(of: stubs[0], 1, to: &lines)
            let whole = "return [\(expression.head)\(expression.operators.joined())]"
            if lines.indentation + whole.count <= CodeLines.width { return lines.add(whole) }
            write("let stub1 =", expression.head, expression.operators, to: &lines)
            return lines.add("return [stub1]")
        }
        var names: [String] = []
        for (index, stub) in stubs.enumerated() {
            let expression = expression(of: stub, index + 1, to: &lines)
            names.append("stub\(index + 1)")
            write("let stub\(index + 1) =", expression.head, expression.operators, to: &lines)
        }
        lines.add("return [")
        lines.indented { for name in names { $0.add("\(name),") } }
        lines.add("]")
    }

    private func write(_ start: String, _ head: String, _ operators: [String], to lines: inout CodeLines) {
        let whole = "\(start) \(head)\(operators.joined())"
        if lines.indentation + whole.count <= CodeLines.width { return lines.add(whole) }
        // The formatter puts a name on a separate line.
        let isName = !head.hasSuffix(")")
        lines.add(isName ? start : "\(start) \(head)")
        lines.indented { lines in for step in (isName ? [head] : []) + operators { lines.add(step) } }
    }

    /// The response as an expression, and the operators that follow the expression.
    private func expression(of stub: Stub, _ number: Int, to lines: inout CodeLines) -> (
        head: String, operators: [String]
    ) {
        var operators: [String] = []
        if let delay = stub.delay {
            operators.append(
                delay.lowerBound == delay.upperBound
                    ? ".delayed(by: \(delay.lowerBound.swiftLiteral))"
                    : ".delayed(by: Duration\(delay.lowerBound.swiftLiteral)...Duration\(delay.upperBound.swiftLiteral))"
            )
        }
        if let time = stub.bodyTime { operators.append(".takingTime(\(time.swiftLiteral))") }
        let error = (stub.error as? TransportError)?.kind
        if let error, error != .truncated { return ("Stub(error: \(Self.name(of: error)))", operators) }
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
            let name = "headers\(number)"
            let values = stub.headers.enumerated().map { constant($1.value, "value\(number)\($0 + 1)", to: &lines) }
            lines.add("let \(name): HeaderFields = [")
            lines.indented { lines in
                for (field, value) in zip(stub.headers, values) {
                    let comma = stub.headers.count > 1 ? "," : ""
                    lines.add("\(SwiftText.literal(field.name)): \(value)\(comma)")
                }
            }
            lines.add("]")
            arguments.append("headers: \(name)")
        }
        let head = "Stub(\(arguments.joined(separator: ", ")))"
        guard error == .truncated else { return (head, operators) }
        let name = "truncated\(number)"
        lines.add("var \(name) = \(head)")
        lines.add("\(name).error = TransportError(.truncated, target: \"\")")
        return (name, operators)
    }

    private func constant(_ text: String, _ name: String, to lines: inout CodeLines) -> String {
        let literal = SwiftText.literal(text)
        if literal.count <= 56 { return literal }
        let parts = SwiftText.lines(of: text, width: 90)
        lines.add("let \(name) = \(parts[0])")
        lines.indented { $0.add(contentsOf: Array(parts.dropFirst())) }
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
