import Exchange
import Redaction
import RequestBuilding
import TerminalText

/// Heads of requests and answers as a person reads them.
enum AnswerText {
    /// `HTTP/1.1 200 OK` and the headers, one a line.
    static func head(_ head: ResponseHead, _ redactor: Redactor, cookies: CookieFile?) -> Styled {
        let style: Style =
            switch head.status {
            case ..<300: [.bold, .green]
            case ..<400: [.bold, .cyan]
            default: [.bold, .red]
            }
        let status = "\(head.version) \(head.status)" + (head.reason.isEmpty ? "" : " \(head.reason)")
        return Styled(TerminalText.harmless(redactor.redact(status)), style) + Styled("\n")
            + fields(cookies?.masked(head.headers) ?? head.headers, redactor)
    }

    static func fields(_ fields: HeaderFields, _ redactor: Redactor, prefix: String = "") -> Styled {
        .lines(
            fields.map { field in
                // A line break in a value begins no line.
                Styled(prefix) + Styled(TerminalText.harmless(redactor.redact(field.name)), .cyan)
                    + Styled(": \(TerminalText.harmless(redactor.redact(field.value)))")
            })
    }
}
