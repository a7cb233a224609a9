import Definitions
import Foundation
import RequestBuilding
import SourceText

extension Body {
    /// The body as it stands in the file, in short.
    var written: String {
        switch content {
        case .json(let value): value.source.compact
        case .text(let template): template.source
        case .form(let fields):
            fields.map {
                "\($0.name)=\(($0.value.value.value ?? []).map { ValueText.text(of: $0.source) }.joined(separator: ","))"
            }
            .joined(separator: "&")
        case .multipart(let parts): "multipart " + parts.map(\.name).joined(separator: ", ")
        case .file(let path): "file \(path.source)"
        case .base64(let bytes): "\(bytes.value.count) bytes"
        case .graphQL(let query, _, _): query.source
        }
    }

    /// Puts the body with its values on a request; nil if a value couldn't be had.
    func apply(to builder: RequestBuilder, _ evaluation: inout Evaluation) -> RequestBuilder? {
        switch content {
        case .json(let template):
            switch evaluation.json(template) {
            case .value(let value): builder.body(Data(value.compact.utf8), contentType: "application/json")
            case .absent: builder.removingBody()
            case .failed: nil
            }
        case .text(let template):
            switch evaluation.text(template) {
            case .value(let text): builder.textBody(text)
            case .absent: builder.removingBody()
            case .failed: nil
            }
        case .form(let fields): Self.form(fields, &evaluation).map { builder.formBody($0) }
        case .multipart(let parts): Self.multipart(parts, &evaluation).map { builder.multipartBody($0) }
        case .file(let template): Self.file(template, &evaluation).map { builder.fileBody(path: $0) }
        case .base64(let bytes): builder.body(Data(bytes.value), contentType: "application/octet-stream")
        case .graphQL(let query, let variables, let operation):
            Self.graphQL(query, variables, operation, &evaluation).map {
                builder.body(Data($0.compact.utf8), contentType: "application/json")
            }
        }
    }

    private static func form(
        _ fields: [Named<Setting<[ValueTemplate]>>], _ evaluation: inout Evaluation
    ) -> [(name: String, value: String)]? {
        var result: [(name: String, value: String)] = []
        var isWhole = true
        for field in fields {
            for template in field.value.value.value ?? [] {
                switch evaluation.text(template) {
                case .value(let text): result.append((field.name, text))
                case .absent: continue
                case .failed: isWhole = false
                }
            }
        }
        return isWhole ? result : nil
    }

    private static func multipart(_ parts: [Named<Part>], _ evaluation: inout Evaluation) -> MultipartBody? {
        var result: [MultipartBody.Part] = []
        var isWhole = true
        for part in parts {
            let fileName = optional(part.value.fileName, &evaluation)
            let contentType = optional(part.value.contentType, &evaluation)
            switch part.value.source {
            case .value(let template):
                switch evaluation.text(template) {
                case .value(let text):
                    result.append(
                        MultipartBody.Part(
                            name: part.name, filename: fileName, contentType: contentType,
                            content: .data(Data(text.utf8))))
                case .absent: continue
                case .failed: isWhole = false
                }
            case .file(let template):
                if let path = file(template, &evaluation) {
                    result.append(.file(part.name, path: path, filename: fileName, contentType: contentType))
                } else {
                    isWhole = false
                }
            case nil: continue
            }
        }
        return isWhole ? MultipartBody(parts: result) : nil
    }

    private static func optional(_ template: TextTemplate?, _ evaluation: inout Evaluation) -> String? {
        guard let template, case .value(let text) = evaluation.text(template) else { return nil }
        return text
    }

    /// A file that is there now: found out before anything is sent.
    private static func file(_ template: TextTemplate, _ evaluation: inout Evaluation) -> String? {
        switch evaluation.text(template) {
        case .failed: return nil
        case .absent:
            evaluation.report(
                .valueUnresolved, "\"\(template.source)\" was not given; it names the file to send", at: template.place)
            return nil
        case .value(let text):
            let path = evaluation.filePath(text)
            switch evaluation.world.files.kind(path) {
            case .file: return path
            case nil: evaluation.report(.fileMissing, "there is no file \"\(text)\" to send", at: template.place)
            default: evaluation.report(.fileMissing, "\"\(text)\" is not a regular file", at: template.place)
            }
            return nil
        }
    }

    private static func graphQL(
        _ query: TextTemplate, _ variables: ValueTemplate?, _ operation: TextTemplate?, _ evaluation: inout Evaluation
    ) -> OrderedJSON? {
        guard case .value(let text) = evaluation.text(query) else { return nil }
        var members = [OrderedJSON.Member("query", .string(text))]
        if let variables {
            switch evaluation.json(variables) {
            case .value(let value): members.append(OrderedJSON.Member("variables", value))
            case .absent: break
            case .failed: return nil
            }
        }
        if let operation {
            guard case .value(let name) = evaluation.text(operation) else { return nil }
            members.append(OrderedJSON.Member("operationName", .string(name)))
        }
        return .object(members)
    }
}

extension Evaluation {
    /// A file's path as written in a definition, seen from the workspace's root; as it can be used from the current folder.
    func filePath(_ path: String) -> String {
        if path.hasPrefix("~/"), let home = world.variable("HOME") {
            return FilePath.join(home, String(path.dropFirst(2)))
        }
        return FilePath.shown(FilePath.tidy(call.workspace.path(path)), from: call.workspace.currentFolder)
    }
}
