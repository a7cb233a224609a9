import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

/// Method, path and body of an endpoint.
extension LayerCode {
    mutating func addPath(_ path: PathTemplate?) {
        switch path {
        case nil: add(.path, [.init(".path", ["\"\""])])
        case .text(let template):
            let call = code.path(template)
            add(.path, [call], isCertain: template.onlyPlaceholder == nil, standIn: [])
        case .segments(let templates):
            let list = "[\(templates.map { code.segment($0).text }.joined(separator: ", "))]"
            add(.path, [.init(".path", ["fillingSegments: \(list)"])], standIn: [])
        }
    }

    mutating func calls(for body: Body) -> [Operation.Call] {
        switch body.content {
        case .json where code.isBodyTyped:
            return [.init(".body", ["json: \(CodeMark.throwing.rawValue)values.json(body)"])]
        case .json(let template):
            let value = code.jsonExpression(template)
            return [.init(".body", ["json: \(value.text)"])]
        case .text(let template): return [optional(code.text(template)) { .init(".textBody", [$0]) }]
        case .form(let fields): return [form(fields)]
        case .multipart(let parts): return [multipart(parts)]
        case .file(let template):
            note(
                "the path of a file to send is relative to the app's current folder, not to the workspace",
                at: body.place)
            return [optional(code.text(template)) { .init(".fileBody", ["path: \($0)"]) }]
        case .base64(let bytes):
            code.importsFoundation = true
            let text = code.literal(Data(bytes.value).base64EncodedString())
            return [
                .init(
                    ".body",
                    ["Data(base64Encoded: \(text)) ?? Data()", "contentType: \"application/octet-stream\""])
            ]
        case .graphQL(let operation): return graphQL(operation, at: body.place)
        }
    }

    /// An operator that is left out if its value is missing.
    private func optional(_ value: Code, _ call: (String) -> Operation.Call) -> Operation.Call {
        guard value.isOptional else { return call(value.text) }
        let inner = call("$0")
        let operand = value.operand
        let made = "RequestBuilder()\(inner.name)(\(inner.arguments.joined(separator: ", ")))"
        return .init(".appending", ["\(operand).map { \(made) } ?? RequestBuilder()"])
    }

    private mutating func form(_ fields: [Named<Setting<[ValueTemplate]>>]) -> Operation.Call {
        var members: [String] = []
        for field in fields {
            let name = code.literal(field.name)
            switch code.texts(field.value.set ?? []) {
            case .none: continue
            case .one(let value): members.append("\(name): [\(value.text)]")
            case .many(let values): members.append("\(name): \(values.text)")
            }
        }
        let name = code.local("fields")
        let isThrowing = members.contains(where: CodeMark.throwing.isIn)
        code.add { lines in
            if members.isEmpty { return lines.add("let \(name): KeyValuePairs<String, [String?]> = [:]") }
            lines.add("let \(name): KeyValuePairs<String, [String?]> = \(isThrowing ? "try " : "")[")
            lines.indented { lines in
                for member in members { lines.add(members.count > 1 ? "\(member)," : member) }
            }
            lines.add("]")
        }
        return .init(".formBody", ["filling: \(name)"])
    }

    private mutating func multipart(_ parts: [Named<Body.Part>]) -> Operation.Call {
        var elements: [String] = []
        for part in parts {
            let name = code.literal(part.name)
            let fileName = part.value.fileName.map { code.text($0) }
            let contentType = part.value.contentType.map { code.text($0) }
            var extra = fileName.map { ["filename: \($0.text)"] } ?? []
            switch part.value.source {
            case nil: continue
            case .file(let template):
                if let contentType { extra.append("contentType: \(contentType.text)") }
                let value = code.text(template)
                elements.append(element(value) { ".file(\(([name, "path: \($0)"] + extra).joined(separator: ", ")))" })
            case .value(let template):
                if let contentType { extra.append("contentType: \(contentType.text)") }
                let made: (String) -> String = { value in ".text(\(([name, value] + extra).joined(separator: ", ")))" }
                switch code.texts([template]) {
                case .none: continue
                case .one(let value): elements.append(element(value, made))
                case .many(let values): elements.append("\(values.operand).map { \(made("$0")) }")
                }
            }
        }
        let name = code.local("parts")
        let isThrowing = elements.contains(where: CodeMark.throwing.isIn)
        code.add { lines in
            if elements.isEmpty { return lines.add("let \(name): [[MultipartBody.Part]] = []") }
            lines.add("let \(name): [[MultipartBody.Part]] = \(isThrowing ? "try " : "")[")
            lines.indented { lines in
                for element in elements { lines.add(elements.count > 1 ? "\(element)," : element) }
            }
            lines.add("]")
        }
        return .init(".multipartBody", ["MultipartBody(parts: \(name).flatMap(\\.self))"])
    }

    /// An expression for a list with the part. If the value of the part is missing, the list is empty.
    private func element(_ value: Code, _ part: (String) -> String) -> String {
        guard value.isOptional else { return "[\(part(value.text))]" }
        let operand = value.operand
        return "\(operand).map { [\(part("$0"))] } ?? []"
    }

    private mutating func graphQL(_ operation: Body.GraphQL, at place: Place) -> [Operation.Call] {
        var members: [(name: String, value: RequestCode.JSONNode)] = []
        var document = ""
        switch operation.document {
        case nil: return []
        case .value(let template):
            members.append(("\"query\"", .leaf(code.jsonExpression(template))))
            if case .text(let text) = template {
                document = text.pieces.map { if case .literal(let text) = $0 { text } else { "" } }.joined()
            } else {
                document = template.literal?.plainText ?? ""
            }
        case .file(let template):
            guard let path = template.literal, let text = read(path) else {
                note("a GraphQL document in a file whose name contains placeholders is not converted", at: place)
                return []
            }
            document = text
            members.append(("\"query\"", .leaf(Code(code.literal(text), .string).json)))
        }
        if let variables = operation.variables {
            members.append(("\"variables\"", code.json(node: variables)))
        } else {
            let names = GraphQLVariables.names(in: document)
            let used = code.order.filter(names.contains).map { name -> (name: String, value: RequestCode.JSONNode) in
                (SwiftText.literal(name), .leaf(code.code(named: name).json))
            }
            if !used.isEmpty { members.append(("\"variables\"", .object(used))) }
        }
        if let name = operation.operationName { members.append(("\"operationName\"", .leaf(code.text(name).json))) }
        return [.init(".body", ["json: \(code.constant(.object(members), "json"))"])]
    }

    private func read(_ path: String) -> String? {
        guard let bytes = try? workspace.files.read(workspace.path(path), Workspace.largestFile) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
