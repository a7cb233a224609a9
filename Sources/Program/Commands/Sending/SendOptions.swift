import CommandLineKit
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliJSONPath
@_spi(Generated) import RequestBuilding

/// Options that only `send` has.
enum SendOptions {
    static let include = Flag(
        "include", short: "i", "Print the status line and headers, even if the output is not a terminal")
    static let verbose = Flag(
        "verbose", short: "v", "Show on stderr what is sent and received, and how long it takes")
    static let headers = Flag("headers", "Print only the status line and headers")
    static let bodyOnly = Flag("content", aliases: ["body-only"], "Print only the body, even on a terminal")
    static let output = Option(
        "output", short: "o", .file(), "Write the body to this file, but only if it arrives completely")
    static let download = Flag(
        "download", short: "O", "Write the body to a file named by the server or the URL")
    static let outputErrors = Flag(
        "output-errors", "Let --output and --download also write the body of an error response (default: to stderr)")
    static let resume = Flag(
        "continue",
        "With --output or --download: keep the received part of an interrupted download as FILE.part, and resume the download next time"
    )
    static let ifChanged = Option(
        "if-changed", .plainFile,
        "Get the response only if it has changed since the last run; FILE keeps its ETag and Last-Modified"
    )
    static let dumpHeader = Option(
        "dump-header", short: "D", .headFile,
        "Write the status line and headers of the response to this file, with secrets and cookies masked")
    static let writeOut = Option(
        "write-out", short: "w", WriteOut.spec,
        "Print this text after the body; {status}, {time.total}, {header.NAME} and others are replaced, and \\n is a line break"
    )
    static let select = Option(
        "select", short: "s", .jsonPath,
        "Print each value that this JSONPath (RFC 9535) selects, one per line: strings without quotes, others as JSON; exit 1 if "
            + "it selects nothing")
    static let json = SharedOptions.json(
        "Print the exchange as one JSON object, with request, response and timings; with --select, the selected values as one array"
    )
    static let pretty = Flag(
        "pretty", "Indent JSON, even if the output is not a terminal; with --select, indent each selected value")
    static let pager = Flag("pager", "On a terminal, show output longer than the screen in $PAGER, else in less")
    static let raw = Flag("raw", "Print the body's bytes unchanged, even on a terminal, and ask for no compression")

    static let maxEvents = Option(
        "max-events", .integer("N", in: 1...1_000_000_000), "End a stream after N events")
    static let duration = Option("for", .bound, "End a stream after this time")

    static let paginate = Flag("paginate", "Print the items of all pages as one JSON list")
    static let maxPages = Option(
        "max-pages", .integer("N", in: 1...1_000_000), default: 1000,
        "Read at most N pages; exit 1 if there are more")

    private static let transfer = TransferOption.all(TransferRow.transfer)
    static let keep = Option(
        "keep", .timeToKeep,
        "Reuse the values captured from needed endpoints for this long; 0 discards the values",
        otherwise: "as the files say")
    static let yes = Flag(
        "yes", short: "y", "Send without asking, even if the environment's policy requires confirmation")

    static let again = Option(
        bare: "again", .integer("N", in: 1...999_999_999),
        "Repeat call N of the history (without N: the last call); NAME=VALUE and flags change the request",
        repetition: .once,
        waivesArguments: true,
        takesNext: { word, _ in word.utf8.allSatisfy(\.isDigit) })

    static let jobs = Option(
        "jobs", short: "j", .integer("N", in: 1...256), default: 1,
        "For a URL with a range or list: the maximum number of parallel requests. The output keeps their order")

    static let printing = OptionGroup(
        "Output", include, verbose, headers, bodyOnly, output, download, outputErrors, resume, ifChanged,
        dumpHeader,
        writeOut,
        select, json, pretty, raw, pager, Watching.flag
    ).ruled(by: [
        .atMostOne(headers, bodyOnly, GlobalOptions.quiet, json), .atMostOne(include, bodyOnly, json),
        .atMostOne(pretty, raw),
        .excludes(select, headers, bodyOnly, GlobalOptions.quiet, include, download),
        .excludes(download, json, headers, output),
        .needs(outputErrors, output, download), .excludes(resume, outputErrors, ifChanged),
        .excludes(ifChanged, download, RecordingOptions.saveStub),
    ])
    static let streaming = OptionGroup("Streams and pages", maxEvents, duration, paginate, maxPages).ruled(by: [
        .needs(maxPages, paginate),
        .excludes(
            paginate, maxEvents, duration, headers, dumpHeader, writeOut, RecordingOptions.saveStub, resume, ifChanged),
    ])
    /// The options that also matter to commands which show a request without sending it.
    static let described = OptionGroup("Transfer", transfer.map(\.spec))
    private static let common = transfer.filter { ["follow", "insecure", "retry"].contains($0.spec.name) }
    /// The options that few requests need.
    static let more = OptionGroup(
        "More",
        transfer.map(\.spec).filter { spec in !common.contains { $0.spec.name == spec.name } }
            + ConnectionOptions.group.options
    ).ruled(by: ConnectionOptions.group.rules)
    static let carrying = OptionGroup(
        "Transfer",
        OptionGroup("", StubChoice.option, RecordingOptions.saveStub, RecordingOptions.save, RecordingOptions.force)
            .options + common.map(\.spec) + OptionGroup("", keep, yes, again, jobs).options
    ).ruled(by: [
        .needs(RecordingOptions.force, RecordingOptions.save, RecordingOptions.saveStub),
        .excludes(RecordingOptions.saveStub, StubChoice.option), .excludes(jobs, ConnectionOptions.cookieJar, pager),
    ])

    /// The changes that say how a request is sent.
    static func overrides(_ parsed: ParsedArguments) -> [CommandLineOverride] {
        var result = TransferOption.overrides(transfer, parsed)
        if parsed.isDefined(raw), parsed[raw] {
            result.append(CommandLineOverride(.setting(.decodesContent, false), flag: "--raw"))
        }
        return result
    }
}

/// Options of `send` that save a response or a request.
enum RecordingOptions {
    static let saveStub = Option(
        "save-stub", .variantName, "Save the response as a stub variant with this name, and its body below stubs/")
    static let save = Option(
        "save", .endpointID, "For a URL or path: save the request as the endpoint ID, if the server responds")
    static let force = Flag("force", "Let --save and --save-stub replace an existing endpoint or variant")

    /// Refuses options that don't fit the target, which is an endpoint, or a typed URL or path.
    static func refuseContradictions(_ arguments: ParsedArguments, isTyped: Bool) throws(UsageError) {
        let (saves, savesStub) = (arguments.isGiven(save), arguments.isGiven(saveStub))
        let isStubbed = !arguments[StubChoice.option].isEmpty
        if saves, !isTyped {
            throw mistake(
                "--save can only be used with a URL or a path; \"\(arguments[RequestOptions.endpoint])\" is an endpoint"
            )
        }
        if isTyped, isStubbed {
            throw mistake("--stub can only be used with an endpoint, because its file has the variants")
        }
        if isTyped, savesStub, !saves {
            throw mistake(
                "--save-stub can only be used with an endpoint",
                hint: "add --save ID to save this request as an endpoint")
        }
    }

    private static func mistake(_ message: String, hint: String? = nil) -> UsageError {
        UsageError(message, hint: hint, command: "send")
    }
}

extension ValueSpec where Value == String {
    static let variantName = ValueSpec(
        "NAME", expected: "a name of letters, digits, _ and -", completion: .variant, text: { $0 }
    ) { (name) throws(InvalidValue) in
        guard Name.isValid(name) else { throw InvalidValue() }
        return name
    }

    fileprivate static let endpointID = ValueSpec(
        "ID", expected: "an endpoint's id such as user.create", completion: .endpoint, text: { $0 }
    ) { (id) throws(InvalidValue) in
        guard Name.isValidID(id) else { throw InvalidValue() }
        return id
    }
}

extension ValueSpec where Value == String {
    fileprivate static let headFile = file(
        notStream: "to print the headers, use --include (with the body) or --headers (without the body)")
}

extension ValueSpec where Value == Duration {
    fileprivate static let timeToKeep = ValueSpec(
        "DURATION", expected: "seconds or a duration such as 10m", text: \.text
    ) { (text) throws(InvalidValue) in
        guard let duration = DurationText.parse(text) else { throw InvalidValue() }
        return duration
    }
}
