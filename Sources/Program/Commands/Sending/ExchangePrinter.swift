import CommandLineKit
import Exchange
import ReqcliBasics
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// A request as `-v` shows it, without secrets.
struct ShownRequest: Sendable, Equatable {
    let method: String
    /// Path and query.
    var target: String
    var headers: HeaderFields
    /// The beginning of the body, by lines.
    var body: [String]
}

/// The head of a response as `-v` shows it, without secrets.
struct ShownHead: Sendable, Equatable {
    let version: String
    let status: Int
    let reason: String
    var headers: HeaderFields
}

extension ShownRequest {
    /// Shows a request without secrets.
    init(_ request: PreparedRequest, _ mask: HeadMask) {
        let message = WireMessage(
            request, defaults: WireDefaults(userAgent: nil, accept: nil), fileSize: RequestBody.size(ofFile:))
        method = message.method
        target = mask.redactor.redact(message.target)
        headers = mask.request(message.headers)
        body = request.body.map { BodyExcerpt.lines(of: $0, mask.redactor) } ?? []
    }
}

extension ShownHead {
    init(_ head: ResponseHead, _ mask: HeadMask) {
        version = head.version
        status = head.status
        reason = mask.redactor.redact(reason: head.reason, of: head.status)
        headers = mask.response(head.headers)
    }
}

extension HeaderFields {
    /// The headers with secrets masked.
    ///
    /// - Parameter withNames: Whether the names are masked, too. False if they come from the workspace and not from a server.
    func redacted(_ redactor: Redactor, withNames: Bool = true) -> HeaderFields {
        HeaderFields(map { Field(withNames ? redactor.redact($0.name) : $0.name, redactor.redact($0.value)) })
    }
}

extension Redactor {
    /// The reason phrase of a status without secrets. The usual phrase stays unchanged, because it can't contain data of the
    /// server.
    func redact(reason: String, of status: Int) -> String {
        reason == ReasonPhrase.usual(for: status) ? reason : redact(reason)
    }
}

/// Prints requests and heads of responses line by line, as `-v` shows them.
struct ExchangePrinter: Sendable {
    let output: Output
    let inColour: Bool

    func show(_ request: ShownRequest) {
        write("> \(request.method) \(request.target)", .bold)
        write(request.headers, prefix: "> ")
        output.write(">\n")
        for line in request.body { write("> \(line)", []) }
    }

    func show(_ head: ShownHead) {
        write("< \(head.version) \(head.status)" + (head.reason.isEmpty ? "" : " \(head.reason)"), .bold)
        write(head.headers, prefix: "< ")
        output.write("<\n")
    }

    func show(_ timings: Timings) {
        let parts: [(String, Duration)] = [
            ("queued", timings.queued), ("name", timings.nameLookup), ("connect", timings.connect),
            ("tls", timings.tls), ("sent", timings.sent), ("first byte", timings.firstByte), ("total", timings.total),
        ]
        let shown = parts.filter { $0.1 > .zero }.map { "\($0.0) \(Self.text($0.1))" }
        write("* \(shown.joined(separator: ", "))", .dim)
    }

    /// Writes the headers, one per line.
    ///
    /// - Parameter fields: The headers, with secrets already masked.
    func write(_ fields: HeaderFields, prefix: String) {
        output.write(ResponseText.fields(fields, prefix: prefix), inColour: inColour)
    }

    func write(_ line: String, _ style: Style) {
        output.write(.lines([Styled(TerminalText.harmless(line), style)]), inColour: inColour)
    }

    static func text(_ duration: Duration) -> String {
        let milliseconds = Double(duration.components.seconds) * 1000 + Double(duration.components.attoseconds) / 1e15
        return milliseconds < 1000
            ? "\((milliseconds * 10).rounded() / 10) ms" : "\((milliseconds / 10).rounded() / 100) s"
    }
}
