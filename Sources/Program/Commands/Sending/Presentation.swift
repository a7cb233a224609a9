import CommandLineKit
import ReqcliText

/// How a response is printed: which parts, and in which form. Decided once, from the flags and the kind of the output.
struct Presentation: Sendable, Equatable {
    enum Body: Sendable, Equatable {
        case nothing
        /// The body, byte for byte.
        case untouched
        /// JSON is indented. Anything else is unchanged; on a terminal, it is shown as harmless text.
        case readable(inColour: Bool, isTerminal: Bool)
        case file(String)
        /// The body in a file named by the server or the URL.
        case download
        /// One JSON object with request, response and timings.
        case json
        /// The values that a JSONPath selects.
        case selection(BodySelection.Layout)
    }

    let showsHead: Bool
    var body: Body

    /// Whether the body itself goes to the output or to a file. If so, the user would notice a missing body.
    var isBodyShown: Bool {
        switch body {
        case .untouched, .readable, .file, .download: true
        case .nothing, .json, .selection: false
        }
    }

    /// - Parameters:
    ///   - isTerminal: Whether stdout is a terminal.
    ///   - sharesTerminal: Whether stderr is a terminal, too. If so, the head that `-v` shows on stderr is not printed again on
    ///     stdout.
    init(_ arguments: ParsedArguments, isTerminal: Bool, sharesTerminal: Bool, inColour: Bool) {
        let file = arguments[SendOptions.output].flatMap { $0 == "-" ? nil : $0 }
        let quiet = arguments[GlobalOptions.quiet]
        let isHeadShown = isTerminal && sharesTerminal && arguments[SendOptions.verbose]
        let isHeadWanted =
            !isHeadShown
            && (arguments[SendOptions.include] || arguments[SendOptions.headers]
                || isTerminal && !arguments[SendOptions.bodyOnly])
        if arguments[SendOptions.select] != nil {
            body = .selection(BodySelection.Layout(arguments))
        } else if arguments[SendOptions.json] {
            body = .json
        } else if let file {
            body = .file(file)
        } else if arguments[SendOptions.download] {
            body = .download
        } else if quiet || arguments[SendOptions.headers] {
            body = .nothing
        } else {
            // With --color always, colour also goes into a pipe, for a pager. FORCE_COLOR, which CI sets, doesn't change the
            // bytes.
            let isForPerson = isTerminal || arguments[GlobalOptions.color] == .always
            let readable = arguments[SendOptions.pretty] || isForPerson && !arguments[SendOptions.raw]
            body = readable ? .readable(inColour: inColour, isTerminal: isTerminal) : .untouched
        }
        let isMessage = arguments[SendOptions.select] == nil && !arguments[SendOptions.json]
        showsHead = isHeadWanted && !quiet && isMessage
    }

    /// Refuses combinations of options that an `OptionRule` can't express, because they depend on values or on a third option.
    static func refuseContradictions(_ arguments: ParsedArguments) throws(UsageError) {
        if arguments[SendOptions.paginate], arguments[SendOptions.json], !arguments.isGiven(SendOptions.select) {
            throw UsageError(
                "--paginate and --json contradict each other", hint: "add --select, or keep one of them",
                command: "send")
        }
        if arguments[SendOptions.resume],
            arguments[SendOptions.output].map({ $0 == "-" }) ?? !arguments[SendOptions.download]
        {
            throw UsageError(
                "--continue needs a file", hint: "name it with --output FILE, or add --download", command: "send")
        }
        guard let file = arguments[SendOptions.output] else { return }
        // With `--select` or `--json`, the result would be printed, and the file of `--output` would not be written.
        let printed = arguments.isGiven(SendOptions.select) ? "--select" : arguments[SendOptions.json] ? "--json" : nil
        if let printed, file != "-" {
            throw UsageError(
                "--output writes the whole body, but \(printed) prints something else",
                hint: "keep one of them; to write the printed output to a file, use \"> \(file)\"", command: "send")
        }
    }
}
