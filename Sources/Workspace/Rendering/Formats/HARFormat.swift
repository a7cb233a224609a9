import Foundation
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// A request as an HTTP Archive 1.2 with one entry, which has no response yet.
package struct HARFormat: Sendable {
    private let creator: (name: String, version: String)
    private let date: String

    /// - Parameter date: The time of the request in ISO 8601, which every entry must have.
    package init(creator: (name: String, version: String), date: String) {
        self.creator = creator
        self.date = date
    }

    package func render(_ input: RenderingInput) -> Rendered {
        let request = request(input)
        let entry = OrderedJSON.object([
            "startedDateTime": .string(date), "time": 0, "request": request, "response": Self.noResponse,
            "cache": .object([]), "timings": .object(["send": 0, "wait": 0, "receive": 0]),
        ])
        let log = OrderedJSON.object([
            "version": "1.2",
            "creator": .object(["name": .string(creator.name), "version": .string(creator.version)]),
            "entries": [entry],
        ])
        return Rendered(
            OrderedJSON.object(["log": log]).pretty,
            notes: notes(input) + input.notesOnMasking(of: request, in: self.request))
    }

    private func notes(_ input: RenderingInput) -> [String] {
        guard let body = input.message.body, body.data == nil else { return [] }
        return ["the archive names the files of the body but doesn't contain them"]
    }

    private func request(_ input: RenderingInput) -> OrderedJSON {
        let message = input.message
        let redactor = input.redactor
        let url = input.request.url
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedQueryItems ?? []
        return .object([
            "method": .string(message.method), "url": redactor.json(url.absoluteString),
            "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": .array(message.headers.map(redactor.json)),
            "queryString": .array(
                items.map { item in
                    redactor.pair(PercentEncoding.decoded(item.name), PercentEncoding.decoded(item.value ?? ""))
                }), "headersSize": -1,
            "bodySize": .int(message.contentLength ?? (message.body == nil ? 0 : -1)),
            "postData": message.body.map { Self.postData($0, message.headers["Content-Type"] ?? "", redactor) },
        ])
    }

    private static func postData(_ body: RequestBody, _ type: String, _ redactor: Redactor) -> OrderedJSON {
        let type = redactor.json(type)
        switch body {
        case .data(let data):
            let content = redactor.content(data)
            return .object([
                "mimeType": type, "text": content.text ?? content.base64,
                "encoding": content.base64.map { _ in "base64" },
            ])
        case .file(let path): return .object(["mimeType": type, "comment": .string("file " + path)])
        case .multipart(let multipart):
            return .object(["mimeType": type, "params": .array(multipart.parts.map { param($0, redactor) })])
        }
    }

    private static func param(_ part: MultipartBody.Part, _ redactor: Redactor) -> OrderedJSON {
        .object([
            "name": redactor.json(part.name),
            "value": part.content.bytes.map { redactor.json(String(decoding: $0, as: UTF8.self)) },
            "comment": part.content.path.map { .string("file " + $0) },
            "fileName": redactor.json(part.filename), "contentType": redactor.json(part.contentType),
        ])
    }

    /// HAR requires a response; status 0 means that there is no response.
    private static let noResponse = OrderedJSON.object([
        "status": 0, "statusText": "", "httpVersion": "", "cookies": [], "headers": [],
        "content": .object(["size": 0, "mimeType": "x-unknown"]), "redirectURL": "", "headersSize": -1,
        "bodySize": -1,
    ])
}
