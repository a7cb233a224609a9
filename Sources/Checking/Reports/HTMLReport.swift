import CommandLineKit
import RequestBuilding

/// A self-contained page: nothing is fetched, and without its script it is still complete.
struct HTMLReport: Report {
    func text(of run: RunResult) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
        <link rel="icon" href="data:,">
        <title>\(Markup.escaped(title(run)))</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        \(header(run))
        <main>
        \(filter(run))\(timeline(run))\(section("cases", "Cases", run.cases.enumerated().map { each($1, number: $0 + 1) }))
        \(section("needed", "Needed by cases", run.dependencies.enumerated().map { each($1, number: $0 + 1) }))
        </main>
        <script>\(Self.script)</script>
        </body>
        </html>

        """
    }

    /// A Content-Security-Policy, so that text of a response could do nothing even if it were not escaped.
    private static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

    private func title(_ run: RunResult) -> String {
        "\(run.cases.isEmpty ? "nothing checked" : run.totals) – reqcli check, \(run.environment)"
    }

    private func header(_ run: RunResult) -> String {
        var facts = [
            ("Environment", run.environment),
            ("Started", Timestamp.text(run.startedAt).replacing("T", with: " ") + " UTC"),
            ("Took", TimeText.short(run.duration)),
        ]
        if let shard = run.shard { facts.append(("Shard", shard.text)) }
        let list = facts.map { "<li><span>\($0.0)</span> \(Markup.escaped($0.1))</li>" }.joined()
        let remarks = run.warnings.map { "warning: \($0)" } + [run.remark].compactMap(\.self)
        let remark = remarks.map { "<p class=\"remark\">\(Markup.escaped($0))</p>\n" }.joined()
        let verdict = run.exitStatus == .success ? "passed" : "failed"
        return """
            <header>
            <h1>reqcli check</h1>
            <p class="headline \(verdict)">\(run.cases.isEmpty ? "nothing was checked" : Markup.escaped(run.totals))</p>
            \(remark)<ul>\(list)</ul>
            </header>
            """
    }

    /// The filter, which is hidden until its script runs.
    private func filter(_ run: RunResult) -> String {
        guard !run.cases.isEmpty else { return "" }
        let boxes = Verdict.allCases.filter { run.count($0) > 0 }.map { verdict in
            "<label class=\"\(verdict.rawValue)\"><input type=\"checkbox\" value=\"\(verdict.rawValue)\" checked> \(verdict.phrase) <b>\(run.count(verdict))</b></label>"
        }
        return """
            <form id="filter" role="search" hidden>
            <fieldset><legend>Show</legend>\(boxes.joined())</fieldset>
            <label class="text">Find <input type="search" id="text" placeholder="id, tag, text…" autocomplete="off"></label>
            <output id="shown" for="text"></output>
            </form>

            """
    }

    private func section(_ id: String, _ title: String, _ items: [String]) -> String {
        guard !items.isEmpty else { return "" }
        return """
            <section id="\(id)" aria-labelledby="\(id)-title">
            <h2 id="\(id)-title">\(title)</h2>
            \(items.joined(separator: "\n"))
            </section>
            """
    }
}
