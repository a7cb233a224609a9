import Checking
package import CommandLineKit
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// Lists, shows and removes the calls that `send` has kept.
package struct HistoryCommand: Command {
    static let words = Argument(
        rest: "SELECTOR", .text("SELECTOR", completing: .history),
        "Only the calls of these endpoints; or \"show N\" for one call; or \"clear\" to remove the calls")
    static let environment = Option(
        "env", short: "e", .text("NAME", completing: .environment), "Only the calls in this environment",
        otherwise: "the calls in all environments")
    static let json = SharedOptions.json("Print the calls as JSON")

    package static let spec = CommandSpec(
        "history", "List, show or remove earlier \"send\" calls",
        examples: [
            Example("The calls in this workspace, newest last", "reqcli history"),
            Example("The calls of a group in one environment", "reqcli history user --env staging"),
            Example("The request and the response of a call", "reqcli history show 12"),
            Example("Repeat a call with another param", "reqcli send --again 12 userID=8"),
            Example("Remove the calls in this workspace", "reqcli history clear"),
        ],
        arguments: ArgumentList(words),
        options: [OptionGroup("Selection", environment), OptionGroup("Output", json)],
        sections: [
            TextSection(
                "Choosing what is kept",
                """
                By default, send keeps the command line of calls at a terminal, so that --again can repeat them. A call is at a \
                terminal if standard input and standard error are terminals and --no-input is not given. With "history": \
                true in reqcli.json, or with REQCLI_HISTORY=1, send keeps all calls, with their responses. "history": false or \
                REQCLI_HISTORY=0 turns the history off. "history": false in the "policy" of an environment turns it off there. \
                In CI, nothing is kept.
                """),
            TextSection(
                "What is kept",
                """
                send keeps the params, the flags, the status and the time of each call that got a response. "history": true \
                also keeps the heads of requests and responses, and the first MiB of each body that was not written to a file. \
                The last 100 calls of each workspace and environment are kept, in files that only you can read, below \
                $XDG_STATE_HOME/reqcli/history or ~/.local/state/reqcli/history.
                """),
            TextSection(
                "What is not kept",
                """
                Secrets are masked in every form, and --again resolves them again. Headers that carry credentials are kept \
                without their values. Values whose name (such as password) or form looks like that of a secret are not kept. \
                Other personal data in a response is kept.
                """),
            TextSection(
                "Selectors",
                """
                  user.get         the calls of one endpoint
                  user             the calls of all endpoints of a group
                  'user.*'         the calls of a pattern, with * for any text and ? for a character
                  '*/users'        the calls of requests to a URL or path
                """),
        ],
        exitStatuses: [
            .success,
            .usage.meaning("there is no such call, or a selector selects none"), .outputFailed,
        ],
        page: "reference/history.md")

    static let showWord = "show"
    static let clearWord = "clear"

    private enum Work { case list([Selector]), show(Int), clear }

    private let arguments: ParsedArguments
    private let work: Work

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        let words = arguments.positionals
        switch words.first {
        case Self.showWord:
            guard words.count == 2, let number = Int(words[1]), number > 0 else {
                throw UsageError(
                    "\"history show\" takes the number of one call",
                    hint: "\"reqcli history\" lists the numbers", command: Self.spec.name)
            }
            if arguments.isGiven(Self.environment) {
                throw UsageError(
                    "the number of a call is unique in all environments", hint: "leave out --env",
                    command: Self.spec.name)
            }
            work = .show(number)
        case Self.clearWord:
            guard words.count == 1 else {
                throw UsageError(
                    "\"history clear\" takes no more arguments; found \"\(TerminalText.harmless(words[1]))\"",
                    hint: "--env NAME removes the calls in one environment", command: Self.spec.name)
            }
            work = .clear
        default: work = .list(words.map { Selector($0) })
        }
    }

    package func run(in context: Context) throws(Failure) -> ExitStatus {
        let workspace = try context.openIfThere(arguments)
        guard let history = History(of: workspace, context) else {
            context.note("there is no history without a home folder")
            return .success
        }
        switch work {
        case .list(let selectors): try list(history, selectors, workspace, context)
        case .show(let number): try show(history, number, context)
        case .clear: try clear(history, context)
        }
        return .success
    }

    // MARK: Listing

    private func list(
        _ history: History, _ selectors: [Selector], _ workspace: Workspace?, _ context: Context
    ) throws(Failure) {
        let environment = arguments[Self.environment]
        let all = history.calls(in: environment).compactMap { call -> (History.Kept, HistoryEntry)? in
            if let entry = history.entry(call) { return (call, entry) }
            if history.holds(call) { context.note("cannot read call \(call.number) of the history") }
            return nil
        }
        for name in history.foreignFiles { context.note("\"\(name)\" in the folder of the history is not a call") }
        let found = all.filter { _, entry in selectors.isEmpty || selectors.contains { $0.names(entry.endpoint) } }
        if let selector = selectors.first(where: { selector in !all.contains { selector.names($1.endpoint) } }) {
            throw Failure(
                .usage, code: .selectionEmpty, "the history has no call of \"\(selector.text)\"",
                hint: selector.text.allSatisfy(\.isNumber)
                    ? "write \"history show \(selector.text)\" for a call by its number"
                    : NearNames.question(for: selector.text, among: ["show", "clear"])
                        ?? (all.isEmpty ? History.advice : "run \"reqcli history\" to list the calls"))
        }
        if arguments[Self.json] {
            context.output.write(OrderedJSON.array(found.map { $1.listing(number: $0.number) }).pretty + "\n")
        } else {
            var columns = Columns()
            let now = context.world.clock.date()
            for (call, entry) in found { columns.add(entry.cells(number: call.number, now: now)) }
            context.write(columns)
        }
        if all.isEmpty { try explainEmpty(workspace, environment, context) }
    }

    /// Explains an empty list: either no call was kept yet, or the history is off.
    private func explainEmpty(_ workspace: Workspace?, _ environment: String?, _ context: Context) throws(Failure) {
        let isOn = try context.historyExtent(in: { workspace }, .none, isAtTerminal: true) != nil
        let place = environment.map { " in the environment \($0)" } ?? ""
        if isOn { return context.note("the history has no calls\(place); \(History.advice)") }
        context.note(
            "the history is off"
                + (context.isInCI ? " in CI" : ": \(History.variable)=0, or \"history\": false in a file, turns it off")
        )
    }

    // MARK: Showing

    private func show(_ history: History, _ number: Int, _ context: Context) throws(Failure) {
        let (_, entry) = try history.entry(number: number)
        if arguments[Self.json] {
            context.output.write(entry.json(number: number).pretty + "\n")
            return
        }
        let printer = ExchangePrinter(output: context.output, inColour: context.isColoured(.output))
        let place = entry.environment.isEmpty ? "" : " in \(entry.environment)"
        printer.write("* \(Timestamp.iso8601(entry.time))\(place): reqcli send \(entry.call.text)", .dim)
        for exchange in entry.exchanges {
            printer.show(exchange.request)
            if let head = exchange.response { printer.show(head) }
        }
        showBody(entry, context)
        if let timings = entry.timings { printer.show(timings) }
        if !entry.isWhole {
            let missing =
                entry.extent == .words
                ? "heads and body are" : entry.body.isEmpty ? "the body is" : "the rest of the body is"
            context.note("\(missing) not kept")
        }
    }

    private func showBody(_ entry: HistoryEntry, _ context: Context) {
        let size = entry.body.count
        guard size > 0 else { return }
        guard String(validating: entry.body, as: UTF8.self) != nil || !entry.isWhole, !entry.body.contains(0) else {
            return context.note("the body is not text (\(size) bytes); --json has it in base64")
        }
        let isTerminal = context.terminal.isTerminal(.output)
        let text = isTerminal ? TextSink(context.output) {} : nil
        let sink: any BodySink =
            isTerminal
            ? ReadableSink(
                context.output, inColour: context.isColoured(.output), isTerminal: true,
                otherwise: text ?? NoSink())
            : OutputSink(context.output)
        // Errors are ignored here, because a failure of the output is reported at the program's end.
        _ = try? sink.write(.init(entry.body))
        try? sink.finish()
        if !isTerminal, entry.body.last != UInt8(ascii: "\n") { context.output.write("\n") }
    }

    // MARK: Removing

    private func clear(_ history: History, _ context: Context) throws(Failure) {
        do throws(WritingProblem) {
            context.note("\(counted(try history.clear(arguments[Self.environment]), "call")) removed")
        } catch {
            throw Failure(
                .outputFailed, code: .historyUnwritten, "cannot remove the calls of the history: \(error.reason)")
        }
    }
}

extension HistoryEntry {
    fileprivate func cells(number: Int, now: Double) -> [Styled] {
        let status = head?.status ?? 0
        return [
            Styled("\(number)", .cyan), Styled(Self.age(now - time), .dim),
            Styled("\(status)", status < 400 ? .green : .red),
            Styled(timings.map { Self.rounded($0.total).text } ?? "", .dim), Styled(environment),
            Styled(harmlessLine(call.text)),
        ]
    }

    private static func rounded(_ duration: Duration) -> Duration {
        .milliseconds(max(1, Int((duration.seconds * 1000).rounded())))
    }

    private static func age(_ seconds: Double) -> String {
        switch seconds {
        case ..<60: "just now"
        case ..<3600: "\(Int(seconds / 60))m ago"
        case ..<86_400: "\(Int(seconds / 3600))h ago"
        default: "\(Int(seconds / 86_400))d ago"
        }
    }

    private func members(number: Int) -> [OrderedJSON.Member] {
        let last = exchanges.last
        return [
            .init("number", .int(number)), .init("time", .string(Timestamp.iso8601(time))),
            .init("endpoint", .string(endpoint)), .init("environment", .string(environment)),
            .init("call", .string("\(Program.name) send \(call.text)")),
            .init("method", .string(last?.method ?? "")), .init("url", .string(last?.url ?? "")),
            .init("status", .int(head?.status ?? 0)),
        ] + (timings.map { [.init("timings", $0.milliseconds)] } ?? [])
    }

    fileprivate func listing(number: Int) -> OrderedJSON { .object(members(number: number)) }

    fileprivate func json(number: Int) -> OrderedJSON {
        .object(
            members(number: number) + [
                .init("exchanges", .array(exchanges.map(\.shown))),
                .init("body", ResponseObject.body(body)), .init("whole", .bool(isWhole)),
            ])
    }
}

extension HistoryEntry.Exchange {
    fileprivate var shown: OrderedJSON {
        .object([
            "method": .string(method), "url": .string(url), "headers": request.headers.named,
            "body": request.body.isEmpty ? nil : .string(request.body.joined(separator: "\n")),
            "response": response.map {
                .object([
                    "status": .int($0.status), "reason": .string($0.reason), "version": .string($0.version),
                    "headers": $0.headers.named,
                ])
            },
        ])
    }
}

extension HeaderFields {
    fileprivate var named: OrderedJSON {
        .array(map { .object(["name": .string($0.name), "value": .string($0.value)]) })
    }
}
