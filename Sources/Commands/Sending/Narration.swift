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
    let context: Context
    let redactor: Redactor
    let cookies: CookieSession?
    let isOn: Bool

    func show(_ event: Delivery.Event) {
        switch event {
        case .request(let request): show(request)
        case .response(let head): show(head)
        case .retry(let retry):
            let why =
                retry.status.map { "the response was \($0)" } ?? retry.error.map { redactor.redact($0.message) } ?? ""
            write("trying again in \(Self.text(retry.wait)) (\(retry.attempt)): \(why)", .dim)
        case .tooLong(let asked, let longest):
            write(
                "not trying again: the server asks to wait \(asked.components.seconds) s, and no wait is longer than "
                    + "\(longest.components.seconds) s", .dim)
        case .keptBack(let reason): context.note(reason)
        }
    }

    private func show(_ request: PreparedRequest) {
        guard isOn else { return }
        let message = WireMessage(
            request, defaults: WireDefaults(userAgent: nil, accept: nil), fileSize: RequestBody.size(ofFile:))
        write("> \(redactor.redact("\(message.method) \(message.target)"))", .bold)
        write(message.headers, prefix: "> ")
        context.messages.write(">\n")
        for line in request.body.map({ BodyExcerpt.lines(of: $0, redactor) }) ?? [] {
            write("> \(line)", [])
        }
    }

    /// Something that is sent first, when it is over: its head and body may hold what it captures, so it is named alone.
    func needed(_ id: String, _ request: PreparedRequest, _ status: Int?) {
        let call = redactor.redact("\(request.method) \(request.url.absoluteString)")
        write("* needs \(id): \(call) → \(status.map(String.init) ?? "no response")", .dim)
    }

    private func show(_ head: ResponseHead) {
        guard isOn else { return }
        if let connection = head.connection {
            write(
                "* \(connection.isReused ? "again over" : "connected to") \(connection.address) port \(connection.port)",
                .dim)
        }
        let status = "\(head.version) \(head.status)" + (head.reason.isEmpty ? "" : " \(head.reason)")
        write("< \(redactor.redact(status))", .bold)
        write(head.headers, prefix: "< ")
        context.messages.write("<\n")
    }

    func ending(_ ending: ResponseBody.Ending?) {
        guard isOn, let ending else { return }
        write(ending.trailers, prefix: "< ")
        guard let timings = ending.timings else { return }
        let parts: [(String, Duration)] = [
            ("name", timings.nameLookup), ("connect", timings.connect), ("tls", timings.tls),
            ("first byte", timings.firstByte), ("total", timings.total),
        ]
        let shown = parts.filter { $0.1 > .zero }.map { "\($0.0) \(Self.text($0.1))" }
        write("* \(shown.joined(separator: ", "))", .dim)
    }

    private func write(_ fields: HeaderFields, prefix: String) {
        let masked = cookies?.masked(fields) ?? fields
        context.messages.write(
            ResponseText.fields(masked, redactor, prefix: prefix), inColour: context.isColoured(.error))
    }

    private func write(_ line: String, _ style: Style) {
        context.messages.write(
            .lines([Styled(TerminalText.harmless(line), style)]), inColour: context.isColoured(.error))
    }

    private static func text(_ duration: Duration) -> String {
        let milliseconds = Double(duration.components.seconds) * 1000 + Double(duration.components.attoseconds) / 1e15
        return milliseconds < 1000
            ? "\((milliseconds * 10).rounded() / 10) ms" : "\((milliseconds / 10).rounded() / 100) s"
    }
}
