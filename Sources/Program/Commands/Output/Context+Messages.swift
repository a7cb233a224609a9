import CommandLineKit
import ReqcliRedaction
package import ReqcliText

extension Context {
    /// Tells about problems on stderr: as text with a summary, or as JSON where the command line asks for it.
    package func report(_ diagnostics: [Diagnostic]) {
        var collector = DiagnosticCollector()
        collector.add(contentsOf: diagnostics)
        guard !collector.isEmpty else { return }
        if outputPreferences.reportsJSON {
            messages.write(OrderedJSON(diagnostics: collector.sorted).pretty + "\n")
        } else {
            messages.write(text(of: collector.sorted), inColour: isColoured(.error))
        }
    }

    /// Tells about a failure, with its details for a person below the problems.
    func report(_ failure: Failure) {
        report(failure.diagnostics)
        guard !failure.details.isEmpty, !outputPreferences.reportsJSON else { return }
        let lines = failure.details.map { Styled($0.isEmpty ? "" : "  " + TerminalText.harmless($0), .dim) }
        messages.write(.lines([""] + lines), inColour: isColoured(.error))
    }

    /// Reports a problem that is in no file.
    package func report(
        _ severity: Diagnostic.Severity = .error, code: Diagnostic.Code, _ message: String, hint: String? = nil
    ) {
        report([Diagnostic(severity, code: code, message, at: nil, hint: hint)])
    }

    /// The problems for a person to read, their number at the end if they are in files.
    private func text(of diagnostics: [Diagnostic]) -> Styled {
        let renderer = DiagnosticRenderer(sourceWidth: sourceWidth, secrets: LikelySecret.written)
        let isAboutFiles = diagnostics.contains { $0.fileName != nil }
        let summary = isAboutFiles ? DiagnosticRenderer.summary(diagnostics).map { $0 + "\n" } : nil
        return renderer.render(diagnostics) + Styled(summary ?? "")
    }

    /// Lines of files are cut to the terminal; a log has no width.
    private var sourceWidth: Int {
        terminal.isTerminal(.error) ? max(40, terminal.width() - 10) : 200
    }
}

extension OrderedJSON {
    /// Problems as editors and CI read them.
    init(diagnostics: [Diagnostic]) {
        self = .object(Self.members(diagnostics))
    }

    /// How many problems there are, and all of them.
    static func members(_ diagnostics: [Diagnostic]) -> [Member] {
        let errors = diagnostics.count { $0.severity == .error }
        return [
            Member("errors", .int(errors)), Member("warnings", .int(diagnostics.count - errors)),
            Member("diagnostics", .array(diagnostics.map { OrderedJSON($0) })),
        ]
    }
}

extension Context {
    /// Something worth knowing that is no problem: one line on stderr.
    func note(_ text: String) {
        let line = Styled("note:", .cyan) + Styled(" \(TerminalText.harmless(text))\n")
        messages.write(line, inColour: isColoured(.error))
    }
}

extension Context {
    /// Writes rows to stdout, cut to the terminal if it is one.
    func write(_ columns: Columns) {
        write(columns.lines(width: terminal.isTerminal(.output) ? terminal.width() : nil))
    }

    func write(_ lines: [Styled]) {
        output.write(.lines(lines), inColour: isColoured(.output))
    }
}

/// A text of the user's as one line that a terminal shows and does not obey.
func harmlessLine(_ text: String) -> String {
    // Nearly all texts. Without this, `list` takes 10 % more instructions for 1,000 endpoints.
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
    return TerminalText.harmless(text.split(whereSeparator: \.isNewline).joined(separator: " "))
}
