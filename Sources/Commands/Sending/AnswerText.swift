import Exchange
import Redaction
import RequestBuilding
import TerminalText

/// Heads of requests and answers as a person reads them.
enum AnswerText {
    /// `HTTP/1.1 200 OK` and the headers, one a line.
    static func head(_ head: ResponseHead, _ redactor: Redactor, cookies: CookieFile?, inColour: Bool) -> String {
        let style: Style =
            switch head.status {
            case ..<300: [.bold, .green]
            case ..<400: [.bold, .cyan]
            default: [.bold, .red]
            }
        let status = "\(head.version) \(head.status)" + (head.reason.isEmpty ? "" : " \(head.reason)")
        return line(Styled(TerminalText.harmless(redactor.redact(status)), style), inColour)
            + fields(cookies?.masked(head.headers) ?? head.headers, redactor, inColour: inColour)
    }

    static func fields(_ fields: HeaderFields, _ redactor: Redactor, inColour: Bool, prefix: String = "") -> String {
        fields.map { field in
            let value = TerminalText.harmless(redactor.redact(field.value))
            return line(
                Styled(prefix) + Styled(TerminalText.harmless(redactor.redact(field.name)), .cyan)
                    + Styled(": \(value)"), inColour)
        }.joined()
    }

    private static func line(_ styled: Styled, _ inColour: Bool) -> String {
        styled.rendered(inColour: inColour) + "\n"
    }
}
