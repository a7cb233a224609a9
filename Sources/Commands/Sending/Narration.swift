import ASCII
import CommandLineKit
import Exchange
import Foundation
import Redaction
import RequestBuilding
import TerminalText

/// Writes what `-v` shows on stderr: each request, followed by the head of its own response, and the times. Secrets are
/// masked.
struct Narration: Sendable {
    private let messages: Output
    private let inColour: Bool
    private let redactor: Redactor
    private let cookies: CookieFile?
    private let isOn: Bool

    init(_ context: Context, _ redactor: Redactor, cookies: CookieFile?, isOn: Bool) {
        messages = context.messages
        inColour = context.isColoured(.error)
        self.redactor = redactor
        self.cookies = cookies
        self.isOn = isOn
    }

    func request(_ request: PreparedRequest) {
        guard isOn else { return }
        let message = WireMessage(
            request, defaults: WireDefaults(userAgent: nil, accept: nil), fileSize: RequestBody.size(ofFile:))
        tell("> \(redactor.redact("\(message.method) \(message.target)"))", .bold)
        messages.write(AnswerText.fields(masked(message.headers), redactor, prefix: "> "), inColour: inColour)
        messages.write(">\n")
    }

    /// Something that is sent first, when it is over: its head and body may hold what it captures, so it is named alone.
    func needed(_ id: String, _ request: PreparedRequest, _ status: Int?) {
        let call = redactor.redact("\(request.method) \(request.url.absoluteString)")
        tell("* needs \(id): \(call) → \(status.map(String.init) ?? "no answer")", .dim)
    }

    func retry(_ retry: RetryMiddleware.Retry) {
        let why =
            retry.status.map { "the answer was \($0)" } ?? retry.error.map { redactor.redact($0.message) } ?? ""
        tell("trying again in \(Self.text(retry.wait)) (\(retry.attempt)): \(why)", .dim)
    }

    func tooLong(_ asked: Duration, _ longest: Duration) {
        tell(
            "not trying again: the server asks to wait \(asked.components.seconds) s, and no wait is longer than "
                + "\(longest.components.seconds) s", .dim)
    }

    func response(_ head: ResponseHead) {
        guard isOn else { return }
        if let connection = head.connection {
            tell(
                "* \(connection.isReused ? "again over" : "connected to") \(connection.address) port \(connection.port)",
                .dim)
        }
        let status = "\(head.version) \(head.status)" + (head.reason.isEmpty ? "" : " \(head.reason)")
        tell("< \(redactor.redact(status))", .bold)
        messages.write(AnswerText.fields(masked(head.headers), redactor, prefix: "< "), inColour: inColour)
        messages.write("<\n")
    }

    func ending(_ ending: ResponseBody.Ending?) {
        guard isOn, let ending else { return }
        messages.write(AnswerText.fields(masked(ending.trailers), redactor, prefix: "< "), inColour: inColour)
        guard let timings = ending.timings else { return }
        let parts: [(String, Duration)] = [
            ("name", timings.nameLookup), ("connect", timings.connect), ("tls", timings.tls),
            ("first byte", timings.firstByte), ("total", timings.total),
        ]
        let shown = parts.filter { $0.1 > .zero }.map { "\($0.0) \(Self.text($0.1))" }
        tell("* \(shown.joined(separator: ", "))", .dim)
    }

    private func masked(_ fields: HeaderFields) -> HeaderFields { cookies?.masked(fields) ?? fields }

    private func tell(_ line: String, _ style: Style) {
        messages.write(.lines([Styled(TerminalText.harmless(line), style)]), inColour: inColour)
    }

    private static func text(_ duration: Duration) -> String {
        let milliseconds = Double(duration.components.seconds) * 1000 + Double(duration.components.attoseconds) / 1e15
        return milliseconds < 1000
            ? "\((milliseconds * 10).rounded() / 10) ms" : "\((milliseconds / 10).rounded() / 100) s"
    }
}
