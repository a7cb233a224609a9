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
    /// The types that belong to the params and the response.
    let types: CodeLines
    let importsNetworking: Bool

    /// Whether the call's interface has dates.
    var hasDates: Bool {
        types.hasDates || ([valueType ?? ""] + parameters.map(\.type)).contains(where: CodeLines.namesDate)
    }

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
            lines.append(types)
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

    private func writeInitializer(to lines: inout CodeLines) {
        // A caller must be able to leave out deprecated params without a warning.
        let old = parameters.filter { $0.isDeprecated && $0.impliedValue != nil }
        let current = parameters.filter { one in !old.contains { $0.name == one.name } }
        writeInitializer(
            current.isEmpty ? "The call, which has no params." : "The call with its params.", taking: current,
            to: &lines)
        guard !old.isEmpty else { return }
        lines.add()
        writeInitializer(
            "The call with deprecated params: \(old.map(\.source).joined(separator: ", ")).", taking: parameters,
            isDeprecated: true, to: &lines)
    }

    private func writeInitializer(
        _ summary: String, taking given: [ParameterCode], isDeprecated: Bool = false, to lines: inout CodeLines
    ) {
        lines.document([summary])
        if endpoint.tags.contains("deprecated") {
            lines.add(deprecation)
        } else if isDeprecated {
            lines.add("@available(*, deprecated)")
        }
        if parameters.isEmpty { return lines.add("public init() {}") }
        lines.function("public init", given.map(\.declaration), "") { lines in
            for parameter in parameters {
                let isGiven = given.contains { $0.name == parameter.name }
                let value = isGiven ? parameter.initialValue : parameter.impliedValue ?? "nil"
                lines.add("self.\(SwiftNames.quoted(parameter.name)) = \(value)")
            }
        }
    }

    /// The attribute of a deprecated endpoint's initializer. The type has none, because its stub variants use it.
    private var deprecation: String {
        let summary = SwiftText.oneLine(endpoint.definition.summary ?? "")
        let says = summary.lowercased().contains("deprecated")
        return "@available(*, deprecated\(says ? ", message: \"\(SwiftText.interpolated(summary))\"" : ""))"
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
