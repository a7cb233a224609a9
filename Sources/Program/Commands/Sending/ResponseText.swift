import Calling
import Checking
import Exchange
import Foundation
import Rendering
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Heads of requests and responses as a person reads them.
enum ResponseText {
    /// `HTTP/1.1 200 OK` and the headers, one per line.
    static func head(_ head: ResponseHead, _ mask: HeadMask) -> Styled {
        let style: Style =
            switch head.status {
            case ..<300: [.bold, .green]
            case ..<400: [.bold, .cyan]
            default: [.bold, .red]
            }
        let mask = mask.reading(head)
        let reason = mask.redactor.redact(reason: head.reason, of: head.status)
        let status = "\(head.version) \(head.status)" + (reason.isEmpty ? "" : " \(reason)")
        return Styled(TerminalText.harmless(status), style) + Styled("\n")
            + fields(mask.response(head.headers))
    }

    /// The headers, one per line.
    ///
    /// - Parameter fields: The headers, with secrets already masked.
    static func fields(_ fields: HeaderFields, prefix: String = "") -> Styled {
        .lines(
            fields.map { field in
                // Names and values are made harmless, so that a line break in a value doesn't begin a new line.
                Styled(prefix) + Styled(TerminalText.harmless(field.name), .cyan)
                    + Styled(": \(TerminalText.harmless(field.value))")
            })
    }
}

/// Request, response and timings as one JSON object, for programs. Secrets are masked, except in the response's body, which is
/// unchanged.
enum ResponseObject {
    /// The object for one call.
    ///
    /// - Parameter assembled: The request, in which the sent cookies are already masked.
    static func json(
        _ assembled: AssembledRequest, _ response: Response, _ mask: HeadMask, body: [UInt8]
    ) -> OrderedJSON {
        let redactor = assembled.redactor
        return .object([
            "endpoint": .string(assembled.call.endpoint.id),
            "environment": .string(assembled.call.environment.name),
            "request": request(assembled.sent(assembled.request), redactor),
            "response": self.response(response.head, body, mask),
            "redirects": response.head.redirects.isEmpty
                ? nil : .array(response.head.redirects.map { redirect($0, mask) }),
            "timings": response.body.ending?.timings?.milliseconds,
        ])
    }

    private static func request(_ request: PreparedRequest, _ redactor: Redactor) -> OrderedJSON {
        .object([
            "method": .string(request.method.token),
            "url": .string(redactor.redact(request.url.absoluteString)),
            "headers": headers(request.headers.redacted(redactor, withNames: false)),
            "body": request.body.map { body($0, redactor) },
        ])
    }

    /// The body of a request: bytes as in a response, files by their names, as in `render --format json`.
    private static func body(_ body: RequestBody, _ redactor: Redactor) -> OrderedJSON {
        guard case .data(let data) = body else { return JSONFormat.body(body, redactor) }
        return self.body(redactor.redact(Array(data)))
    }

    private static func redirect(
        _ redirect: ResponseHead.Redirect, _ mask: HeadMask
    ) -> OrderedJSON {
        let mask = mask.reading(ResponseHead(status: redirect.status, headers: redirect.headers, url: redirect.from))
        let redactor = mask.redactor
        return .object([
            "status": .int(redirect.status), "method": .string(redirect.method.token),
            "from": .string(redactor.redact(redirect.from.absoluteString)),
            "to": .string(redactor.redact(redirect.to.absoluteString)),
            "headers": headers(mask.response(redirect.headers)),
        ])
    }

    private static func response(
        _ head: ResponseHead, _ body: [UInt8], _ mask: HeadMask
    ) -> OrderedJSON {
        let mask = mask.reading(head)
        return .object([
            "status": .int(head.status),
            "reason": .string(mask.redactor.redact(reason: head.reason, of: head.status)),
            "version": .string(head.version),
            "headers": headers(mask.response(head.headers)),
            "body": self.body(body),
        ])
    }

    private static func headers(_ fields: HeaderFields) -> OrderedJSON {
        .array(fields.map { .object(["name": .string($0.name), "value": .string($0.value)]) })
    }

    /// The body as the member `json` if it is JSON, else as `text` if it is text, else as `base64`.
    static func body(_ bytes: [UInt8]) -> OrderedJSON {
        if let root = JSONDocument.read(SourceFile(name: "body", bytes: bytes)).validRoot {
            return .object(["json": OrderedJSON(root)])
        }
        if let text = String(validating: bytes, as: UTF8.self) { return .object(["text": .string(text)]) }
        return .object(["base64": .string(Data(bytes).base64EncodedString())])
    }
}
