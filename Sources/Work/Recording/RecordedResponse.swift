import Calling
package import Checking
package import Exchange
import Foundation
import ReqcliBasics
import ReqcliDefinitions
import ReqcliMatching
package import ReqcliRedaction
package import ReqcliText
import RequestBuilding

/// A response as a stub variant keeps it: decoded, and with its secrets masked.
package struct RecordedResponse: Equatable, Sendable {
    package let status: Int
    package let headers: RecordedHeaders
    package let body: [UInt8]
    /// The number of places in the body where a secret was masked.
    package let maskedCount: Int
    /// The secrets that should be captured from the response but were not found, so that they couldn't be masked.
    package let lostSecrets: [Diagnostic]
    /// The extension of the file for the body.
    package let fileExtension: String

    /// The largest body of a stub, in bytes.
    package static let limit = 64 << 20

    /// Decodes a response and masks its secrets. Throws if its body can't be decoded.
    ///
    /// - Parameters:
    ///   - captures: The captures by which the endpoint reads secrets from its responses.
    ///   - redactor: A redactor for the secrets of the request.
    package init(
        _ head: ResponseHead, body: [UInt8], _ captures: CaptureReader, _ redactor: Redactor
    ) throws(ContentCodingProblem) {
        status = head.status
        let plain = try ContentCoding.decode(body, head.contentCodings, limit: Self.limit)
        let captured = captures.read(
            ReceivedResponse(
                status: head.status, reason: head.reason, headers: head.headers, body: ReceivedBody(plain),
                duration: .zero, isDecoded: true, url: head.url?.absoluteString),
            Excerpts(redactor))
        lostSecrets = captured.problems
        let redactor = Redactor(redactor.secrets + captured.secrets)
        headers = RecordedHeaders(head.headers, redactor)
        (self.body, maskedCount) = redactor.masked(body: plain)
        fileExtension = StubFileExtension.choose(for: head.headers["Content-Type"], plain)
    }

    /// The variant that replays the response; `file` is the name of the body's file below `stubs/`.
    func variant(file: String, when condition: OrderedJSON?) -> OrderedJSON {
        .object([
            "when": condition,
            "status": status == 200 ? nil : .int(status),
            "headers": headers.headers.isEmpty ? nil : headers.json,
            "file": body.isEmpty ? nil : .string(file),
        ])
    }
}

extension ContentCodingProblem {
    /// The reason why a body can't be kept.
    package var reason: Wording {
        switch kind {
        case .unknown(let coding): "its body has the encoding \(coding), which reqcli does not know"
        case .damaged: "its body does not match its Content-Encoding"
        case .cutOff: "its body ends before its Content-Encoding does"
        case .tooLarge: "its body is larger than \(RecordedResponse.limit >> 20) MiB"
        case .noLibrary(let library): "its body is compressed, and \(own: library) is not installed"
        }
    }
}

/// File name extensions by content.
package enum StubFileExtension {
    package static let all = Set(byType.values).union(["json", "xml", "txt", "bin"])

    private static let byType = [
        "text/html": "html", "text/csv": "csv", "text/css": "css", "text/javascript": "js", "image/svg+xml": "svg",
        "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "application/pdf": "pdf",
        "application/zip": "zip", "application/x-ndjson": "ndjson",
    ]

    /// The extension for the `Content-Type` of the response. If the type is not known, the extension depends on whether the bytes
    /// are text.
    static func choose(for contentType: String?, _ bytes: [UInt8]) -> String {
        let type = MediaType(contentType ?? "")
        if let known = byType[type.name] { return known }
        if type.isJSON { return "json" }
        if type.isXML { return "xml" }
        // The extension is never `json`, because the name of such a file implies a type, and the response has no type.
        return String(validating: bytes, as: UTF8.self) == nil || bytes.contains(0) ? "bin" : "txt"
    }
}

/// The headers of a response as a stub keeps them: without headers that are valid only for one connection or at one time, and
/// without secrets.
package struct RecordedHeaders: Equatable, Sendable {
    package struct Header: Equatable, Sendable {
        package let name: String
        package let values: [String]
    }

    package private(set) var headers: [Header] = []
    /// The names of headers whose values were masked, because such headers contain credentials.
    package private(set) var credentials: [String] = []
    /// The names of headers that can't be written into an endpoint file.
    package private(set) var unwritable: [String] = []

    init(_ fields: HeaderFields, _ redactor: Redactor) {
        var seen: Set<String> = []
        for field in fields.lasting {
            // Fields of one name are grouped, in the spelling of the first.
            guard seen.insert(field.name.lowercased()).inserted else { continue }
            guard field.name.isToken, redactor.redact(field.name) == field.name else {
                unwritable.append(redactor.redact(field.name))
                continue
            }
            let isCredential = LikelySecret.isHeader(field.name)
            if isCredential { credentials.append(field.name) }
            headers.append(
                Header(
                    name: field.name,
                    values: fields.named(field.name).map { isCredential ? $0.maskedValue : redactor.redact($0.value) }))
        }
    }

    /// The headers as JSON for the endpoint file.
    var json: OrderedJSON {
        .object(
            headers.map { header in
                let values = header.values.map { OrderedJSON.string(TextTemplate.escaped($0)) }
                return OrderedJSON.Member(header.name, values.count == 1 ? values[0] : .array(values))
            })
    }
}
