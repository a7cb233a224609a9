import Calling
import Exchange
import ReqcliBasics
import ReqcliText

extension HTMLReport {
    func each(_ each: CaseResult, number: Int) -> String {
        let steps = each.steps.enumerated().map { index, step in
            entry(
                "case-\(number)-step-\(index + 1)", step.shownName, place: step.place, summary: nil, tags: [],
                step.outcome, kind: "step")
        }
        return entry(
            "case-\(number)", each.id, place: each.place, summary: each.summary, tags: each.tags, each.outcome,
            inside: steps.isEmpty ? "" : "<div class=\"steps\">\n\(steps.joined(separator: "\n"))\n</div>\n")
    }

    func each(_ each: DependencyResult, number: Int) -> String {
        entry(
            "need-\(number)", each.id + (each.isRefresh ? " (again)" : ""), place: each.place, summary: nil, tags: [],
            each.outcome)
    }

    /// A collapsible entry with everything about a case. Entries of cases that didn't pass are open.
    private func entry(
        _ id: String, _ title: String, place: Place, summary: String?, tags: [String], _ outcome: Outcome,
        kind: String = "case", inside: String = ""
    ) -> String {
        let isOpen = ![.passed, .notJudged, .notRun].contains(outcome.verdict)
        let time = outcome.attempts > 0 ? "<span class=\"time\">\(TimeText.short(outcome.duration))</span>" : ""
        let isFlaky = outcome.verdict == .passed && outcome.flake != nil
        let flaky = isFlaky ? " <span class=\"badge flaky\">flaky</span>" : ""
        let phrase = inside.isEmpty ? outcome.exchangePhrase : "scenario"
        let call = "<span class=\"exchange\">\(Markup.escaped(phrase))</span>"
        return """
            <details id="\(id)" class="\(kind)" data-verdict="\(outcome.verdict.rawValue)"\(isOpen ? " open" : "")>
            <summary><span class="badge \(outcome.verdict.rawValue)">\(outcome.verdict.phrase)</span>\(flaky) \
            <span class="id">\(Markup.escaped(title))</span> \(call)\(time)</summary>
            <div class="body">
            \(about(place, summary, tags, outcome))\(reasons(outcome))\(exchange(outcome))\(inside)
            </div>
            </details>
            """
    }

    private func about(_ place: Place, _ summary: String?, _ tags: [String], _ outcome: Outcome) -> String {
        var parts = [Markup.escaped(place.description)]
        if outcome.attempts > 0 { parts.append("began after \(TimeText.short(outcome.started))") }
        parts += outcome.circumstances.map(Markup.escaped)
        if !tags.isEmpty { parts.append("tags: \(Markup.escaped(tags.joined(separator: ", ")))") }
        let description = summary.map { "<p>\(Markup.escaped($0))</p>\n" } ?? ""
        return "\(description)<p class=\"about\">\(parts.joined(separator: " · "))</p>\n"
    }

    // MARK: What went wrong

    private func reasons(_ outcome: Outcome) -> String {
        var text = ""
        // A stub with `"expect": "fail"` passes with failures.
        let title = outcome.verdict == .passed ? "Failed as expected" : "Failed"
        if !outcome.failures.isEmpty {
            text += "<h3>\(title)</h3>\n" + outcome.failures.map(failure).joined(separator: "\n") + "\n"
        }
        if outcome.verdict == .passed, let flake = outcome.flake {
            text += "<h3>Flaky</h3>\n<p class=\"reason\">\(Markup.escaped(flake.explanation.text))</p>\n"
        }
        if let problem = outcome.problem {
            text += "<h3>Why there is no verdict</h3>\n" + problem.diagnostics.map(diagnostic).joined() + "\n"
        }
        if let reason = outcome.notJudgedPhrase { text += "<p class=\"reason\">\(Markup.escaped(reason))</p>\n" }
        if let blocker = outcome.blocker {
            text += "<h3>Blocked</h3>\n<p class=\"reason\">\(Markup.escaped(blocker.message.text))</p>\n"
        }
        return text
    }

    private func failure(_ failure: ExpectationFailure) -> String {
        """
        <div class="failure">
        <p><code>\(Markup.escaped(failure.title))</code> \
        <span class="about">\(Markup.escaped(failure.place.description))</span></p>
        <dl><dt>expected</dt><dd class="expected"><code>\(Markup.escaped(failure.expected))</code></dd>\
        <dt>found</dt><dd class="actual"><code>\(Markup.escaped(failure.actual))</code></dd></dl>
        \(difference(failure.difference))</div>
        """
    }

    private func difference(_ lines: [DifferenceLine]) -> String {
        guard !lines.isEmpty else { return "" }
        let spans = lines.map { "<span class=\"\($0.kind.rawValue)\">\(Markup.escaped($0.plain))</span>" }
        return """
            <p class="legend"><span class="expected">- expected and missing</span> <span class="actual">+ found instead</span></p>
            <pre class="difference" tabindex="0">\(spans.joined(separator: "\n"))</pre>

            """
    }

    private func diagnostic(_ diagnostic: Diagnostic) -> String {
        let place = diagnostic.place.map { " <span class=\"about\">\(Markup.escaped($0.description))</span>" } ?? ""
        let hint = diagnostic.hint.map { "<br>\(Markup.escaped($0))" } ?? ""
        return "<p class=\"reason\">\(Markup.escaped(diagnostic.message))\(place)\(hint)</p>"
    }

    // MARK: Request and response

    private func exchange(_ outcome: Outcome) -> String {
        guard let exchange = outcome.exchange else { return "" }
        var text = ""
        if let request = exchange.request {
            text += "<h3>Request</h3>\n<pre class=\"curl\" tabindex=\"0\">\(Markup.escaped(request.curl))</pre>\n"
        }
        if exchange.status != nil {
            text += """
                <h3>Response</h3>
                \(exchange.timings?.sentence ?? "")<pre>\(Markup.escaped(exchange.head.text))</pre>
                <pre tabindex="0">\(Markup.escaped(exchange.indented.shownBody))</pre>
                """
        } else {
            text += exchange.timings?.sentence ?? ""
        }
        return text
    }
}

extension Timings {
    /// Where the time went, for people who cannot see the bars.
    fileprivate var sentence: String {
        let parts = phases.map { "\($0.phase.title) \(TimeText.fine($0.duration))" }
        return parts.isEmpty ? "" : "<p class=\"about\">\(parts.joined(separator: " · "))</p>\n"
    }
}

extension Outcome {
    /// The method and the status, such as `GET 200`. If one is not known, only the other one.
    fileprivate var exchangePhrase: String {
        guard let exchange else { return attempts > 0 ? "no response" : "not sent" }
        guard let method = exchange.request?.method else { return exchange.status.map(String.init) ?? "no response" }
        return method + (exchange.status.map { " \($0)" } ?? ", no response")
    }
}

extension ExchangeRecord {
    /// The maximum size of an indented body, as a multiple of the size of the body. Without a limit, deeply nested brackets could
    /// make the indented body very large.
    private static let mostGrowth = 4

    private struct TooLarge: Error {}

    /// A copy with an indented body, if the body is JSON or the beginning of a JSON text.
    fileprivate var indented: ExchangeRecord {
        guard let body, let first = body.utf8.first(where: { !$0.isJSONWhitespace }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return self }
        let limit = body.utf8.count * Self.mostGrowth + 1 << 10
        var printed: [UInt8] = []
        var printer = JSONPrinter(layout: .indented, colours: .none)
        func take(_ bytes: UnsafeRawBufferPointer) throws {
            printed += bytes
            if printed.count > limit { throw TooLarge() }
        }
        do {
            try Array(body.utf8).withUnsafeBytes { try printer.print($0, to: take) }
            _ = try printer.finish(to: take)
        } catch {
            return self
        }
        var result = self
        result.body = String(
            decoding: printed.last == UInt8(ascii: "\n") ? printed.dropLast() : printed[...], as: UTF8.self)
        return result
    }
}
