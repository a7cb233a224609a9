import Foundation
import Redaction
import RequestBuilding

/// A request as a JSON object: method, URL, headers in order, body.
package struct JSONFormat: Sendable {
    package init() {}

    package func render(_ input: RenderingInput) -> Rendered {
        let request = request(input)
        return Rendered(request.text(), notes: input.notesOnMasking(of: request, in: self.request))
    }

    private func request(_ input: RenderingInput) -> JSONText {
        let message = input.message
        let redactor = input.redactor
        // Masks text before it becomes JSON, because masking in the finished document could break it.
        func string(_ text: String) -> JSONText { .string(redactor.redact(text)) }
        var members: [(String, JSONText)] = [
            ("method", string(message.method)),
            ("url", string(input.request.url.absoluteString)),
            (
                "headers",
                .array(
                    message.headers.map {
                        .object([("name", string($0.name)), ("value", string($0.value))])
                    })
            ),
        ]
        if let body = message.body { members.append(("body", Self.body(body, redactor))) }
        return .object(members)
    }

    private static func body(_ body: RequestBody, _ redactor: Redactor) -> JSONText {
        switch body {
        case .data(let data): .object([content(data, redactor)])
        case .file(let path): .object([("file", .string(redactor.redact(path)))])
        case .multipart(let multipart):
            .object([
                ("boundary", .string(multipart.boundary)),
                ("parts", .array(multipart.parts.map { part($0, redactor) })),
            ])
        }
    }

    private static func part(_ part: MultipartBody.Part, _ redactor: Redactor) -> JSONText {
        var members: [(String, JSONText)] = [("name", .string(redactor.redact(part.name)))]
        if let filename = part.filename { members.append(("filename", .string(redactor.redact(filename)))) }
        if let type = part.contentType { members.append(("contentType", .string(redactor.redact(type)))) }
        switch part.content {
        case .data(let data): members.append(content(data, redactor))
        case .file(let path): members.append(("file", .string(redactor.redact(path))))
        }
        return .object(members)
    }

    /// The body as text or, if it is not text, in base64. Masked before it is encoded.
    private static func content(_ data: Data, _ redactor: Redactor) -> (String, JSONText) {
        if let text = String(validating: data, as: UTF8.self) { return ("text", .string(redactor.redact(text))) }
        return ("base64", .string(Data(redactor.redact(Array(data))).base64EncodedString()))
    }
}
