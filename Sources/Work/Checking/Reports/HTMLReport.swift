import ReqcliText
import RequestBuilding

/// The run as a page for people.
struct HTMLReport: Report {
    func write(_ run: RunResult, to write: (String) -> Void) {
        let page = HTMLPage(title: Markup.escaped(title(run)), script: PackageResources.report_js)
        write("\(page.start)\(header(run))\n<main>\n\(filter(run))")
        self.write(casesOf: run, write)
        write("\n")
        let needs = run.dependencies.enumerated().map { each($1, number: $0 + 1) }
        self.write(section: "needed", "Needed by cases", needs, write)
        write("\n\(durations(run))\n")
        self.write(timelineOf: run, write)
        write("\n</main>\(page.end)")
    }

    private func title(_ run: RunResult) -> String {
        "\(run.gaps.isEmpty ? "" : "incomplete: ")\(run.cases.isEmpty ? "nothing checked" : counts(run).map(\.text).joined(separator: ", ")) – reqcli check, \(run.environment)"
    }

    /// The counts of the verdicts. The count of passed cases is last.
    private func counts(_ run: RunResult) -> [(verdict: Verdict, text: String)] {
        let verdicts = Verdict.allCases.filter { $0 != .passed } + [.passed]
        return verdicts.filter { run.count($0) > 0 }.map { ($0, $0.phrase(of: run.count($0))) }
    }

    /// The headline with the counts. Each verdict has its own colour, but the count of passed cases has no colour if the run
    /// failed.
    private func headline(_ run: RunResult) -> String {
        if run.cases.isEmpty { return "nothing was checked" }
        let isGreen = run.exitStatus == .success
        let verdicts = counts(run).map { verdict, text in
            verdict == .passed && !isGreen ? text : "<span class=\"\(verdict.rawValue)\">\(text)</span>"
        }
        let flaky = run.flakyCount > 0 ? ["<span class=\"flaky\">\(run.flakyCount) flaky</span>"] : []
        let gaps = run.gaps.isEmpty ? [] : ["<span class=\"error\">incomplete</span>"]
        return (gaps + verdicts + flaky).joined(separator: ", ")
    }

    /// The link to the CI job. Only a web address is a link, because a report may be read from a file.
    private static func jobLink(_ job: String?) -> String {
        guard let job, job.hasPrefix("https://") || job.hasPrefix("http://") else { return "" }
        return "<li><a href=\"\(Markup.escaped(job))\" rel=\"noreferrer\">CI job</a></li>"
    }

    private func header(_ run: RunResult) -> String {
        var facts = [
            ("Environment", run.environment),
            ("Started", Timestamp.text(run.startedAt).replacing("T", with: " ") + " UTC"),
            ("Took", TimeText.short(run.duration)),
        ]
        if let shard = run.shard { facts.append(("Shard", shard.text)) }
        if let server = run.origin.server { facts.insert(("Server", server), at: 1) }
        if let commit = run.origin.commit { facts.append(("Commit", String(commit.prefix(12)))) }
        if let seed = run.origin.seed { facts.append(("Seed", seed)) }
        let list =
            facts.map { "<li><span>\($0.0)</span> \(Markup.escaped($0.1))</li>" }.joined()
            + Self.jobLink(run.origin.job)
        let remarks =
            run.warnings.map { "warning: \($0)" }
            + (run.gaps.isEmpty
                ? [run.remark].compactMap(\.self) : run.gaps.map { "incomplete: \($0.message)" })
        let remark = remarks.map { "<p class=\"remark\">\(Markup.escaped($0))</p>\n" }.joined()
        return """
            <header>
            <h1>reqcli check</h1>
            <p class="headline">\(headline(run))</p>
            \(remark)<ul>\(list)</ul>
            </header>
            """
    }

    /// The filter, which is hidden until its script runs.
    private func filter(_ run: RunResult) -> String {
        guard !run.cases.isEmpty else { return "" }
        let boxes = Verdict.allCases.filter { run.count($0) > 0 }.map { verdict in
            "<label><input type=\"checkbox\" value=\"\(verdict.rawValue)\" checked> \(verdict.phrase) <b class=\"\(verdict.rawValue)\">\(run.count(verdict))</b></label>"
        }
        return """
            <form id="filter" role="search" hidden>
            <fieldset><legend>Show</legend>\(boxes.joined())</fieldset>
            <label class="text">Find <input type="search" id="text" placeholder="id, tag, text…" autocomplete="off"></label>
            <output id="shown" for="text"></output>
            </form>

            """
    }

    /// The entries of all cases. Cases that didn't pass come first, but each keeps its number, which is its position in the
    /// files.
    private func write(casesOf run: RunResult, _ write: (String) -> Void) {
        let groups: [(id: String, title: String, has: (Verdict) -> Bool)] = [
            ("unsuccessful", "Not passed", { ![.passed, .notJudged, .notRun].contains($0) }),
            ("rest", "Passed", { $0 == .passed }), ("not-judged", "Not judged", { $0 == .notJudged }),
            ("not-run", "Not run", { $0 == .notRun }),
        ]
        var lead = "<div id=\"cases\">\n"
        for group in groups {
            let indices = run.cases.indices.filter { group.has(run.cases[$0].verdict) }
            if indices.isEmpty { continue }
            write(lead)
            lead = "\n"
            let entries = indices.lazy.map { each(run.whole($0), number: $0 + 1) }
            self.write(section: group.id, group.title, entries, write)
        }
        if !run.cases.isEmpty { write("\n</div>") }
    }

    private func write(
        section id: String, _ title: String, _ items: some Collection<String>, _ write: (String) -> Void
    ) {
        if items.isEmpty { return }
        write("<section id=\"\(id)\" aria-labelledby=\"\(id)-title\">\n<h2 id=\"\(id)-title\">\(title)</h2>\n")
        for item in items { write("\(item)\n") }
        write("</section>")
    }
}
