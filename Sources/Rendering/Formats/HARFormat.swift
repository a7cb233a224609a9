import Foundation
import Redaction
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
        let creator = JSONText.object([("name", .string(creator.name)), ("version", .string(creator.version))])
        let request = request(input)
        let entry = JSONText.object([
            ("startedDateTime", .string(date)), ("time", .number(0)), ("request", request),
            ("response", Self.noResponse), ("cache", .object([])),
            ("timings", .object([("send", .number(0)), ("wait", .number(0)), ("receive", .number(0))])),
        ])
        let log = JSONText.object([
            ("version", .string("1.2")), ("creator", creator), ("entries", .array([entry])),
        ])
        return Rendered(
            JSONText.object([("log", log)]).text(),
            notes: notes(input) + input.notesOnMasking(of: request, in: self.request))
    }

    private func notes(_ input: RenderingInput) -> [String] {
        guard let body = input.message.body, body.data == nil else { return [] }
        return ["the archive names the files of the body but doesn't contain them"]
    }

    private func request(_ input: RenderingInput) -> JSONText {
        let message = input.message
        let redactor = input.redactor
        func pair(_ name: String, _ value: String) -> JSONText {
            .object([("name", .string(redactor.redact(name))), ("value", .string(redactor.redact(value)))])
        }
        let url = input.request.url
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        var members: [(String, JSONText)] = [
            ("method", .string(redactor.redact(message.method))),
            ("url", .string(redactor.redact(url.absoluteString))),
            ("httpVersion", .string("HTTP/1.1")), ("cookies", .array([])),
            ("headers", .array(message.headers.map { pair($0.name, $0.value) })),
            ("queryString", .array(items.map { pair($0.name, $0.value ?? "") })),
            ("headersSize", .number(-1)),
            ("bodySize", .number(message.contentLength ?? (message.body == nil ? 0 : -1))),
        ]
        if let body = message.body {
            members.append(("postData", Self.postData(body, message.headers["Content-Type"] ?? "", redactor)))
        }
        return .object(members)
    }

    private static func postData(_ body: RequestBody, _ type: String, _ redactor: Redactor) -> JSONText {
        var members: [(String, JSONText)] = [("mimeType", .string(redactor.redact(type)))]
        switch body {
        case .data(let data):
            if let text = String(validating: data, as: UTF8.self) {
                members.append(("text", .string(redactor.redact(text))))
            } else {
                members.append(("text", .string(Data(redactor.redact(Array(data))).base64EncodedString())))
                members.append(("encoding", .string("base64")))
            }
        case .file(let path): members.append(("comment", .string("file " + redactor.redact(path))))
        case .multipart(let multipart):
            members.append(("params", .array(multipart.parts.map { param($0, redactor) })))
        }
        return .object(members)
    }

    private static func param(_ part: MultipartBody.Part, _ redactor: Redactor) -> JSONText {
        var members: [(String, JSONText)] = [("name", .string(redactor.redact(part.name)))]
        switch part.content {
        case .data(let data):
            members.append(("value", .string(redactor.redact(String(decoding: data, as: UTF8.self)))))
        case .file(let path): members.append(("comment", .string("file " + redactor.redact(path))))
        }
        if let filename = part.filename { members.append(("fileName", .string(redactor.redact(filename)))) }
        if let type = part.contentType { members.append(("contentType", .string(redactor.redact(type)))) }
        return .object(members)
    }

    /// HAR requires a response; status 0 means that there is none.
    private static let noResponse = JSONText.object([
        ("status", .number(0)), ("statusText", .string("")), ("httpVersion", .string("")), ("cookies", .array([])),
        ("headers", .array([])),
        ("content", .object([("size", .number(0)), ("mimeType", .string("x-unknown"))])),
        ("redirectURL", .string("")), ("headersSize", .number(-1)), ("bodySize", .number(-1)),
    ])
}
