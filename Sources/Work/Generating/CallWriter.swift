import ReqcliDefinitions
import ReqcliText

/// Writes the call of an endpoint.
struct CallWriter {
    let endpoint: LocatedEndpoint
    /// The name of the call's type, without the name of the group's type that contains it.
    let name: String
    let parameters: [ParameterCode]
    let operations: [Operation]
    let remarks: [String]
    /// The type of the response.
    let valueType: String?
    /// The types that belong to the response.
    let models: CodeLines
    let importsNetworking: Bool

    func write(to lines: inout CodeLines) {
        let summary = "\(endpoint.method) \(endpoint.path(in: nil))"
        lines.document([endpoint.definition.summary ?? "", "`\(summary)`"])
        lines.block("public struct \(name): EndpointCall, Hashable") { lines in
            if let valueType {
                lines.document(["The response."])
                lines.add("public typealias Value = \(valueType)")
                lines.add()
            }
            lines.document(["The id in the files of the workspace."])
            lines.add("public static let id = \(SwiftText.literal(endpoint.id))")
            for parameter in parameters { write(parameter, to: &lines) }
            for parameter in parameters where parameter.fallback != nil {
                lines.add()
                parameter.writeFallback(to: &lines)
            }
            for case let option? in parameters.map(\.option) { write(option, to: &lines) }
            lines.append(models)
            lines.add()
            writeInitializer(to: &lines)
            lines.add()
            writeRequest(to: &lines)
        }
    }

    private func write(_ parameter: ParameterCode, to lines: inout CodeLines) {
        let texts = parameter.documentation.isEmpty ? ["The param `\(parameter.source)`."] : parameter.documentation
        lines.document(texts)
        lines.add(
            "public var \(SwiftNames.quoted(parameter.name)): \(parameter.type)\(parameter.isOptional ? "?" : "")")
    }

    private func write(_ option: ParameterCode.OptionType, to lines: inout CodeLines) {
        lines.add()
        lines.document(["The values that are allowed."])
        lines.block("public enum \(option.name): String, CaseIterable, Hashable, Sendable") { lines in
            for one in option.cases {
                let isSame = one.name.utf8.elementsEqual(one.value.utf8)
                lines.add("case \(SwiftNames.quoted(one.name))" + (isSame ? "" : " = \(SwiftText.literal(one.value))"))
            }
        }
    }

    private func writeInitializer(to lines: inout CodeLines) {
        lines.document([parameters.isEmpty ? "The call, which has no params." : "The call with its params."])
        if parameters.isEmpty { return lines.add("public init() {}") }
        lines.function("public init", parameters.map(\.declaration), "") { lines in
            for parameter in parameters {
                let name = SwiftNames.quoted(parameter.name)
                lines.add("self.\(name) = \(parameter.initialValue)")
            }
        }
    }

    private func writeRequest(to lines: inout CodeLines) {
        for remark in remarks { lines.remark(remark) }
        lines.document(["The request, without the parts that the client's environment adds."])
        var body = CodeLines(level: lines.level + 1)
        OperationWriter.body(operations, to: &body)
        lines.block("public var request: RequestBuilder") { lines in
            guard body.usesValues else { return OperationWriter.body(operations, to: &lines) }
            lines.closure(".deferred", "values") { OperationWriter.body(operations, to: &$0) }
        }
    }
}
