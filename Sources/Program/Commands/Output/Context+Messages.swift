import CommandLineKit
import ReqcliRedaction
package import ReqcliText

extension Context {
    /// Reports problems on stderr: as text with a summary, or as JSON if the command line asks for it.
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

    /// Reports a failure. In text, its details follow the problems.
    func report(_ failure: Failure) {
        report(failure.diagnostics)
        guard !failure.details.isEmpty, !outputPreferences.reportsJSON else { return }
        let lines = failure.details.map { Styled($0.isEmpty ? "" : "  " + TerminalText.harmless($0), .dim) }
        messages.write(.lines([""] + lines), inColour: isColoured(.error))
    }

    /// Reports a problem that has no place in a file.
    package func report(
        _ severity: Diagnostic.Severity = .error, code: Diagnostic.Code, _ message: String, hint: String? = nil
    ) {
        report([Diagnostic(severity, code: code, message, at: nil, hint: hint)])
    }

    /// The problems as text. If the problems are in files, the number of problems is at the end.
    private func text(of diagnostics: [Diagnostic]) -> Styled {
        let renderer = DiagnosticRenderer(sourceWidth: sourceWidth, secrets: LikelySecret.written)
        let isAboutFiles = diagnostics.contains { $0.fileName != nil }
        let summary = isAboutFiles ? DiagnosticRenderer.summary(diagnostics).map { $0 + "\n" } : nil
        return renderer.render(diagnostics) + Styled(summary ?? "")
    }

    /// The width to which lines of files are cut: almost the width of the terminal, or a fixed width if stderr isn't a terminal.
    private var sourceWidth: Int {
        terminal.isTerminal(.error) ? max(40, terminal.width() - 10) : 200
    }
}

extension OrderedJSON {
    /// The problems as JSON, for editors and CI.
    init(diagnostics: [Diagnostic]) {
        self = .object(Self.members(diagnostics))
    }

    /// The number of problems, and the problems themselves.
    static func members(_ diagnostics: [Diagnostic]) -> [Member] {
        let errors = diagnostics.count { $0.severity == .error }
        return [
            Member("errors", .int(errors)), Member("warnings", .int(diagnostics.count - errors)),
            Member("diagnostics", .array(diagnostics.map { OrderedJSON($0) })),
        ]
    }
}

extension Context {
    /// Writes a note, which is not a problem, as one line on stderr. With `--quiet`, there are no notes.
    func note(_ text: String) {
        if outputPreferences.isQuiet { return }
        let line = Styled("note:", .cyan) + Styled(" \(TerminalText.harmless(text))\n")
        messages.write(line, inColour: isColoured(.error))
    }
}

extension Context {
    /// Writes the list of files that a command has written, or has found to be in order, unless `--quiet` is given.
    func writeSummary(_ lines: [Styled]) {
        if !outputPreferences.isQuiet { write(lines) }
    }

    func writeSummary(_ columns: Columns) { writeSummary(columns.lines(width: outputWidth)) }

    /// Writes rows to stdout. On a terminal, the rows are cut to its width.
    func write(_ columns: Columns) {
        write(columns.lines(width: outputWidth))
    }

    /// The width to which lines of the output are cut or wrapped; nil if the output is not a terminal.
    var outputWidth: Int? { terminal.isTerminal(.output) ? terminal.width() : nil }

    func write(_ lines: [Styled]) {
        output.write(.lines(lines), inColour: isColoured(.output))
    }
}
