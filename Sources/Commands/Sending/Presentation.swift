import CommandLineKit
import TerminalText

/// The parts of a response that are printed, and how: decided once, from the flags and the output.
struct Presentation: Sendable, Equatable {
    enum Body: Sendable, Equatable {
        case nothing
        /// Byte for byte.
        case untouched
        /// JSON indented; anything else as it came, on a terminal as text that can't harm it.
        case readable(inColour: Bool, isTerminal: Bool)
        case file(String)
        /// A file named by the server or the URL.
        case download
        /// One JSON object with request, response and timings.
        case json
        /// The values that a JSONPath selects.
        case selection(BodySelection.Layout)
    }

    let showsHead: Bool
    let body: Body

    init(showsHead: Bool, body: Body) {
        self.showsHead = showsHead
        self.body = body
    }

    /// - Parameters:
    ///   - isTerminal: Whether stdout is one.
    ///   - sharesTerminal: Whether stderr is one, too: what `-v` shows there is not printed again.
    init(
        _ arguments: ParsedArguments, isTerminal: Bool, sharesTerminal: Bool, inColour: Bool
    ) throws(UsageError) {
        try Self.refuseContradictions(arguments)
        let file = arguments[SendOptions.output].flatMap { $0 == "-" ? nil : $0 }
        let quiet = arguments[SendOptions.quiet]
        let isHeadShown = isTerminal && sharesTerminal && arguments[SendOptions.verbose]
        let isHeadWanted =
            !isHeadShown
            && (arguments[SendOptions.include] || arguments[SendOptions.headers]
                || isTerminal && !arguments[SendOptions.bodyOnly])
        if arguments[SendOptions.select] != nil {
            self.init(showsHead: false, body: .selection(BodySelection.Layout(arguments)))
        } else if arguments[SendOptions.json] {
            self.init(showsHead: false, body: .json)
        } else if let file {
            self.init(showsHead: isHeadWanted && !quiet, body: .file(file))
        } else if arguments[SendOptions.download] {
            self.init(showsHead: isHeadWanted && !quiet, body: .download)
        } else if quiet {
            self.init(showsHead: false, body: .nothing)
        } else if arguments[SendOptions.headers] {
            self.init(showsHead: isHeadWanted, body: .nothing)
        } else {
            // Asked for by name, colour goes into a pipe, too: for a pager. FORCE_COLOR, which CI sets, changes no bytes.
            let isForPerson = isTerminal || arguments[GlobalOptions.color] == .always
            let readable = arguments[SendOptions.pretty] || isForPerson && !arguments[SendOptions.raw]
            self.init(
                showsHead: isHeadWanted,
                body: readable ? .readable(inColour: inColour, isTerminal: isTerminal) : .untouched)
        }
    }

    /// Flags that ask for two different things at once.
    private static func refuseContradictions(_ arguments: ParsedArguments) throws(UsageError) {
        let groups: [[Flag]] = [
            [SendOptions.headers, SendOptions.bodyOnly, SendOptions.quiet, SendOptions.json],
            [SendOptions.include, SendOptions.bodyOnly, SendOptions.json],
            [SendOptions.pretty, SendOptions.raw], [SendOptions.download, SendOptions.json],
            [SendOptions.download, SendOptions.headers],
        ]
        for group in groups {
            let given = group.filter { arguments[$0] }.map(\.spec.longSpelling)
            if given.count > 1 {
                throw UsageError(
                    "\(given[0]) and \(given[1]) contradict each other", hint: "keep one of them", command: "send")
            }
        }
        if arguments.isGiven(SendOptions.select) {
            let others = [
                SendOptions.headers, SendOptions.bodyOnly, SendOptions.quiet, SendOptions.include, SendOptions.download,
            ]
            if let other = others.first(where: { arguments[$0] }) {
                throw UsageError(
                    "--select and \(other.spec.longSpelling) contradict each other", hint: "keep one of them",
                    command: "send")
            }
        }
        guard let file = arguments[SendOptions.output] else { return }
        if arguments[SendOptions.download] {
            throw UsageError("--output and --download contradict each other", hint: "keep one of them", command: "send")
        }
        // Both would be printed, and the file would not be there.
        let printed = arguments.isGiven(SendOptions.select) ? "--select" : arguments[SendOptions.json] ? "--json" : nil
        if let printed, file != "-" {
            throw UsageError(
                "--output takes the whole body, and \(printed) prints something else",
                hint: "keep one of them; \"> \(file)\" takes what is printed", command: "send")
        }
    }
}
