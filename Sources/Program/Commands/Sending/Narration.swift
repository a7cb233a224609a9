import Calling
import CommandLineKit
import Exchange
import Foundation
import ReqcliBasics
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Writes what `-v` shows on stderr: each request, followed by the head of its own response, and the times. Secrets are
/// masked.
struct Narration: Sendable {
    let context: Context
    let mask: HeadMask
    let isOn: Bool

    func show(_ event: ExchangeEvent) {
        switch event {
        case .request(let request): show(request)
        case .response(let head): show(head)
        case .retry(let retry):
            let why =
                retry.status.map { "the response was \($0)" }
                ?? retry.error.map { mask.redactor.redact($0.wording).text } ?? ""
            write("trying again in \(ExchangePrinter.text(retry.wait)) (\(retry.attempt)): \(why)", .dim)
        case .tooLong(let asked, let longest):
            write(
                "not trying again: the server asks to wait \(asked.components.seconds) s, but the longest allowed wait is "
                    + "\(longest.components.seconds) s", .dim)
        case .failed(let timings): show(timings)
        case .stub, .keptBack, .unencryptedPassword: break
        }
    }

    private func show(_ request: PreparedRequest) {
        guard isOn else { return }
        printer.show(ShownRequest(request, mask.reading(request.url)))
    }

    /// Shows a needed call after it has ended: only its request line and status, because its head and body may contain captured
    /// values.
    func needed(_ id: String, _ request: PreparedRequest, _ status: Int?) {
        let url = mask.redactor.redact(request.url.absoluteString)
        write("* needs \(id): \(request.method) \(url) → \(status.map(String.init) ?? "no response")", .dim)
    }

    private func show(_ head: ResponseHead) {
        guard isOn else { return }
        if let connection = head.connection {
            write(
                "* \(connection.isReused ? "reused connection to" : "connected to") \(connection.address) port \(connection.port)",
                .dim)
        }
        printer.show(ShownHead(head, mask.reading(head)))
    }

    func ending(_ ending: ResponseBody.Ending?) {
        guard isOn, let ending else { return }
        printer.write(mask.response(ending.trailers), prefix: "< ")
        show(ending.timings)
    }

    /// Shows the times of a transfer, also of one that failed.
    func show(_ timings: Timings?) {
        if isOn, let timings { printer.show(timings) }
    }

    private var printer: ExchangePrinter {
        ExchangePrinter(output: context.messages, inColour: context.isColoured(.error))
    }

    private func write(_ line: String, _ style: Style) { printer.write(line, style) }
}
