import Foundation
import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

extension Body {
    /// A short form of the body as it is written in the file.
    var written: String {
        switch content {
        case .json(let value): value.source.compact
        case .text(let template): template.source
        case .form(let fields):
            fields.map {
                "\(TextTemplate.escaped($0.name))=\(($0.value.set ?? []).map { ValueText.text(of: $0.source) }.joined(separator: ","))"
            }
            .joined(separator: "&")
        case .multipart(let parts): "multipart " + parts.map { TextTemplate.escaped($0.name) }.joined(separator: ", ")
        case .file(let path): "file \(path.source)"
        case .base64(let bytes): "\(bytes.value.count) bytes"
        case .graphQL(let operation):
            switch operation.document {
            case .value(let query): ValueText.text(of: query.source)
            case .file(let path): "file \(path.source)"
            case nil: ""
            }
        }
    }

    /// The Content-Type that follows from the kind of body.
    var contentType: String {
        switch content {
        case .json, .graphQL: "application/json"
        case .text: "text/plain; charset=utf-8"
        case .form: "application/x-www-form-urlencoded"
        case .multipart: "multipart/form-data"
        case .file, .base64: "application/octet-stream"
        }
    }

    /// Fills in the body's values, and sets the body. If the body consists only of an optional param without a value, the result
    /// is absent.
    func resolve(_ builder: RequestBuilder, _ evaluation: inout Evaluation) -> Evaluated<RequestBuilder> {
        let type = contentType
        func json(_ value: OrderedJSON) -> RequestBuilder {
            builder.body(Data(value.compact.utf8), contentType: type)
        }
        switch content {
        case .json(let template): return evaluation.json(template).map(json)
        case .text(let template): return evaluation.text(template).map { builder.textBody($0, contentType: type) }
        case .form(let fields): return Self.form(fields, &evaluation).map(builder.formBody)
        case .multipart(let parts): return Self.multipart(parts, &evaluation).map(builder.multipartBody)
        case .file(let template):
            return Self.file(template, &evaluation).map { builder.fileBody(path: $0, contentType: type) }
        case .base64(let bytes): return .value(builder.body(Data(bytes.value), contentType: type))
        case .graphQL(let operation): return Self.graphQL(operation, at: place, &evaluation).map(json)
        }
    }

    private static func form(
        _ fields: [Named<Setting<[ValueTemplate]>>], _ evaluation: inout Evaluation
    ) -> Evaluated<[(name: String, value: String)]> {
        evaluation.collect(fields) { field, evaluation in
            evaluation.texts(field.value.set ?? []).map { values in values.map { (name: field.name, value: $0) }
            }
        }.map { $0.flatMap(\.self) }
    }

    private static func multipart(
        _ parts: [Named<Part>], _ evaluation: inout Evaluation
    ) -> Evaluated<MultipartBody> {
        evaluation.collect(parts) { Self.parts($0, &$1) }.map { MultipartBody(parts: $0.flatMap(\.self)) }
    }

    private static func parts(
        _ part: Named<Part>, _ evaluation: inout Evaluation
    ) -> Evaluated<[MultipartBody.Part]> {
        let fileName = optional(part.value.fileName, &evaluation)
        let contentType = optional(part.value.contentType, &evaluation)
        let typeOfName = (fileName ?? nil).flatMap(MultipartBody.Part.contentType(ofFileNamed:))
        let result: Evaluated<[MultipartBody.Part]> =
            switch part.value.source {
            case nil: .absent
            case .value(let template):
                evaluation.texts([template]).map { texts in
                    texts.map { text in
                        MultipartBody.Part(
                            name: part.name, filename: fileName ?? nil,
                            contentType: (contentType ?? nil) ?? typeOfName,
                            content: .data(Data(text.utf8)))
                    }
                }
            case .file(let template):
                file(template, &evaluation).map { path in
                    [.file(part.name, path: path, filename: fileName ?? nil, contentType: contentType ?? nil)]
                }
            }
        return fileName == nil || contentType == nil ? .failed : result
    }

    /// The value of an optional template: `nil` if it could not be evaluated, `.some(nil)` if there is no value.
    private static func optional(_ template: TextTemplate?, _ evaluation: inout Evaluation) -> String?? {
        guard let template else { return .some(nil) }
        switch evaluation.text(template) {
        case .value(let text): return text
        case .absent: return .some(nil)
        case .failed: return nil
        }
    }

    private static func file(_ template: TextTemplate, _ evaluation: inout Evaluation) -> Evaluated<String> {
        switch evaluation.text(template) {
        case .failed: .failed
        case .absent: .absent
        case .value(let text): evaluation.fileToSend(text, from: template)
        }
    }

    private static func graphQL(
        _ operation: GraphQL, at place: Place, _ evaluation: inout Evaluation
    ) -> Evaluated<OrderedJSON> {
        let text: String
        switch document(operation, &evaluation) {
        case .value(let document): text = document
        case .absent: return .absent
        case .failed: return .failed
        }
        var members = [OrderedJSON.Member("query", .string(text))]
        var isWhole = true
        let variables = operation.variables ?? evaluation.parameters(usedIn: text, at: place)
        let others = [
            ("variables", variables.map { evaluation.json($0) }),
            ("operationName", operation.operationName.map { evaluation.text($0).map { .string($0) } }),
        ]
        for (name, evaluated) in others {
            switch evaluated {
            case .value(let value): members.append(OrderedJSON.Member(name, value))
            case .failed: isWhole = false
            case .absent, nil: continue
            }
        }
        return isWhole ? .value(.object(members)) : .failed
    }

    private static func document(_ operation: GraphQL, _ evaluation: inout Evaluation) -> Evaluated<String> {
        switch operation.document {
        case .value(let query): evaluation.text(query)
        case .file(let path): evaluation.textOfFile(path)
        case nil: .absent
        }
    }
}

extension Evaluation {
    /// An object with the params that a GraphQL document uses as variables; nil if the document uses no params.
    fileprivate func parameters(usedIn document: String, at place: Place) -> ValueTemplate? {
        let variables = GraphQLVariables.names(in: document)
        let members = call.endpoint.parameters.map(\.name).filter(variables.contains).map { name in
            let text = TextTemplate(pieces: [.placeholder(Located(.name(name), at: place))], place: place)
            return Named(name, at: place, ValueTemplate.text(text))
        }
        return members.isEmpty ? nil : .object(members, at: place)
    }
}
