import Calling
package import CommandLineKit
import ReqcliAssembly
package import ReqcliText
import RequestBuilding

/// Says where each part of a request comes from, and what it replaced.
package struct ExplainCommand: Command {
    static let json = SharedOptions.json("Print the result as JSON")

    package static let spec = CommandSpec(
        "explain", "Show where each part of the request comes from",
        examples: [
            Example("Each part, its place, and what it overrides", "reqcli explain user.get --env staging"),
            Example("Show what a flag changes", "reqcli explain ping -H 'Accept: text/plain'"),
            Example("As JSON for a program", "reqcli explain ping --json"),
        ],
        arguments: ArgumentList(RequestOptions.endpoint, RequestOptions.parameters),
        options: [
            OptionGroup("Output", json), OptionGroup("Environment", SharedOptions.environment), RequestOptions.changes,
            ConnectionOptions.group, SendOptions.described, RequestOptions.values,
        ],
        sections: [
            TextSection(
                "Order of the layers",
                """
                built-in < extends, left to right < environment < defaults of the group < endpoint < the endpoint's \
                environments.NAME < command line. A later layer overrides earlier ones; null removes a value.
                """)
        ],
        exitStatuses: [.success, .usage, .broken, .outputFailed],
        essentials: ["env", "header", "body", "auth", "query", "base-url", "follow", "json"],
        page: "reference/merging.md")

    let arguments: ParsedArguments
    let environment: String?
    let flags: RequestFlags
    let asJSON: Bool

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        environment = arguments[SharedOptions.environment]
        flags = try RequestFlags(arguments, readsBodyFiles: false)
        asJSON = arguments[Self.json]
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        let (workspace, chain) = try context.scene(of: flags, arguments)
        let session = try context.session(flags.session, isSending: false)
        let assembled = try context.assembleToShow(flags, environment: chain, in: workspace, session: session)
        let explanation = Explanation(try session.cookies?.showing(assembled, isRevealing: false) ?? assembled)
        if asJSON {
            context.output.write(explanation.json.pretty + "\n")
        } else {
            let table = ExplanationTable(
                explanation, width: context.outputWidth)
            context.write(table.text)
        }
        context.warnOfStrayingSecrets(in: assembled)
        return .success
    }
}

/// An explanation for a person. A line has a part of the request, its value, and the place that the value comes from. The dimmed
/// lines below show the values that this value replaces. The text that is signed is shown whole, line by line.
///
/// ```
/// GET https://staging.example.com/v3/user
///
/// header Accept   application/json   environments/staging.json:5:5
///                 was */*            built-in
/// ```
struct ExplanationTable {
    private struct Line {
        let part: String
        let value: String
        let origin: String
        let style: Style
        /// Whether the value is shown whole, even if it is wider than the terminal.
        let isWhole: Bool

        /// Names of headers and query items, values and paths may contain any characters. Each of these strings becomes one
        /// harmless line, so that the width can be measured.
        init(part: String, value: String, origin: String, style: Style, isWhole: Bool = false) {
            self.part = TerminalText.harmless(part)
            self.value = TerminalText.harmless(value)
            self.origin = TerminalText.harmless(origin)
            self.style = style
            self.isWhole = isWhole
        }

        var isEmpty: Bool { part.isEmpty && value.isEmpty && origin.isEmpty }
    }

    private let title: String
    private let lines: [Line]
    /// The width of the terminal; nil for no limit.
    private let width: Int?

    init(_ explanation: Explanation, width: Int?) {
        title = TerminalText.harmless("\(explanation.method) \(explanation.url)")
        self.width = width
        lines = explanation.rows.flatMap(Self.lines)
    }

    private static func lines(_ row: Explanation.Row) -> [Line] {
        var lines = row.standing.enumerated().flatMap { index, source in
            values(of: source, part: index == 0 ? row.part : "", isWhole: row.isSignature)
                + source.functions.map { Line(part: "", value: "from \($0)", origin: "", style: .dim) }
        }
        if lines.isEmpty, let removal = row.removedBy {
            lines.append(Line(part: row.part, value: "(removed)", origin: removal.origin, style: .plain))
        }
        return lines
            + row.shadowed.map { Line(part: "", value: "was \(shown($0))", origin: $0.origin, style: .dim) }
    }

    /// The lines with a value. A value that is shown whole has a line for each of its own lines.
    private static func values(of source: Explanation.Source, part: String, isWhole: Bool) -> [Line] {
        let shown = shown(source)
        guard isWhole else { return [Line(part: part, value: shown, origin: source.origin, style: .plain)] }
        let values = shown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return values.enumerated().map { index, value in
            let (part, origin) = index == 0 ? (part, source.origin) : ("", "")
            return Line(part: part, value: value, origin: origin, style: .plain, isWhole: true)
        }
    }

    private static func shown(_ source: Explanation.Source) -> String {
        guard let value = source.value else { return "(removed)" }
        return value.isEmpty ? "\"\"" : value
    }

    var text: [Styled] {
        let partWidth = lines.map { TerminalText.width(of: $0.part) }.max() ?? 0
        let originWidth = lines.map { TerminalText.width(of: $0.origin) }.max() ?? 0
        let widest =
            lines.filter { !$0.origin.isEmpty && !$0.isWhole }.map { TerminalText.width(of: $0.value) }.max() ?? 0
        // Places are never cut, because users click on them. A long value is cut instead, but stays readable.
        let room = width.map { max($0 - partWidth - originWidth - 4, 20) } ?? 60
        let valueWidth = min(widest, room)
        let rows = lines.map { line -> Styled in
            if line.isEmpty { return "" }
            let part = Styled(TerminalText.padded(line.part, to: partWidth), .bold) + Styled("  ")
            guard !line.origin.isEmpty else {
                let room = line.isWhole ? .max : width.map { max($0 - partWidth - 2, 20) } ?? .max
                return part + Styled(TerminalText.truncated(line.value, to: room), line.style)
            }
            let shown = line.isWhole ? line.value : TerminalText.truncated(line.value, to: valueWidth)
            let value = TerminalText.padded(shown, to: valueWidth)
            return part + Styled(value, line.style) + Styled("  ") + Styled(line.origin, .dim)
        }
        return [Styled(title, .bold), ""] + rows
    }
}

extension Explanation.Row {
    fileprivate var isSignature: Bool { part == RequestSubject.signature.description }
}
