import Foundation
package import ReqcliRedaction
package import ReqcliText
package import RequestBuilding

/// A request as a JSON object: method, URL, headers in order, body.
package struct JSONFormat: Sendable {
    package init() {}

    package func render(_ input: RenderingInput) -> Rendered {
        let request = request(input)
        return Rendered(request.pretty, notes: input.notesOnMasking(of: request, in: self.request))
    }

    private func request(_ input: RenderingInput) -> OrderedJSON {
        let message = input.message
        let redactor = input.redactor
        return .object([
            "method": .string(message.method),
            "url": redactor.json(input.request.url.absoluteString),
            "headers": .array(message.headers.map(redactor.json)),
            "body": message.body.map { Self.body($0, redactor) },
        ])
    }

    /// The body of a request. Files are shown by their paths.
    package static func body(_ body: RequestBody, _ redactor: Redactor) -> OrderedJSON {
        switch body {
        case .data(let data):
            let content = redactor.content(data)
            return .object(["text": content.text, "base64": content.base64])
        case .file(let path): return .object(["file": .string(path)])
        case .multipart(let multipart):
            return .object([
                "boundary": .string(multipart.boundary), "parts": .array(multipart.parts.map { part($0, redactor) }),
            ])
        }
    }

    private static func part(_ part: MultipartBody.Part, _ redactor: Redactor) -> OrderedJSON {
        let content = part.content.bytes.map(redactor.content)
        return .object([
            "name": redactor.json(part.name), "filename": redactor.json(part.filename),
            "contentType": redactor.json(part.contentType), "text": content?.text, "base64": content?.base64,
            "file": part.content.path.map { .string($0) },
        ])
    }
}

/// JSON of masked texts. A text is masked before it becomes JSON, because masking in the finished document could make the
/// document invalid.
extension Redactor {
    func json(_ text: String) -> OrderedJSON { .string(redact(text)) }
    func json(_ text: String?) -> OrderedJSON? { text.map { json($0) } }

    /// A header of a request. The name is not masked, because the workspace contains the name.
    func json(_ field: HeaderFields.Field) -> OrderedJSON {
        .object(["name": .string(field.name), "value": json(field.value)])
    }

    func pair(_ name: String, _ value: String) -> OrderedJSON {
        .object(["name": json(name), "value": json(value)])
    }

    /// Bytes as text or, if they are not text, in base64.
    func content(_ data: Data) -> (text: OrderedJSON?, base64: OrderedJSON?) {
        if let text = String(validating: data, as: UTF8.self) { return (json(text), nil) }
        return (nil, .string(Data(redact(Array(data))).base64EncodedString()))
    }
}

extension RequestBody.Piece {
    var bytes: Data? { if case .data(let data) = self { data } else { nil } }
    var path: String? { if case .file(let path) = self { path } else { nil } }
}
