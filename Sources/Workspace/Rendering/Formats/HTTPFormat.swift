import Foundation
import ReqcliRedaction
import RequestBuilding

/// A request as the bytes of an HTTP/1.1 message.
package struct HTTPFormat: Sendable {
    package init() {}

    package func render(_ input: RenderingInput) throws(RenderingError) -> Rendered {
        let message = input.message
        var head = "\(message.method) \(message.target) HTTP/1.1\r\n"
        for field in message.headers {
            head += field.value.isEmpty ? "\(field.name):\r\n" : "\(field.name): \(field.value)\r\n"
        }
        var bytes = Array((head + "\r\n").utf8)
        for piece in message.body?.pieces ?? [] {
            switch piece {
            case .data(let data): bytes += data
            case .file(let path):
                guard let data = input.files.contents(path) else {
                    throw RenderingError("cannot read the body's file \(path)")
                }
                bytes += data
            }
        }
        let shown = input.redactor.redact(bytes)
        let isMasked = !input.isRevealing && !input.secrets.isEmpty && shown != input.revealed.redactor.redact(bytes)
        return Rendered(
            bytes: shown,
            notes: isMasked
                ? ["secrets are masked, so this is not exactly the message that is sent; --reveal shows the secrets"]
                : [])
    }
}
