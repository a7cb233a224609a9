package import CommandLineKit
import Importing
import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText

/// Sends a curl command that was pasted after the program's name. The importer reads the command, and `send` sends what it made.
package struct CurlCallCommand: Command {
    static let words = Argument(
        rest: "ARGUMENT", .text("ARGUMENT", completing: .file, mayHoldSecret: true), "The words after curl, unchanged"
    )

    package static let spec = CommandSpec(
        "curl", "Send a pasted curl command",
        examples: [
            Example(
                "A command copied from a browser or a page, after \"reqcli\"",
                "reqcli curl https://api.example.com/users/7"),
            Example(
                "With curl's options",
                "reqcli curl -X POST -d a=1 -o out.txt https://example.com"),
            Example(
                "Keep it as an endpoint", "reqcli import --as user.get -- curl https://api.example.com/users/7"),
        ],
        arguments: ArgumentList(words),
        sections: [
            TextSection(
                "What is sent",
                """
                The request is the one that curl would send, except for the User-Agent. The command reads no file of a \
                workspace, and writes only the files that -o, -O and -D name. It prints the response as send does. If a part \
                of the command has no counterpart in reqcli, nothing is sent, and a message names the part.
                """)
        ],
        exitStatuses: SendCommand.spec.exitStatuses,
        page: "reference/curl.md", takesWordsLiterally: true)

    private let words: [String]

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        let typed = arguments[Self.words]
        words = Array(typed.first == "curl" ? typed.dropFirst() : typed[...])
        if words.count == 1, let word = words.first,
            word.hasPrefix("curl ") || word.hasPrefix("-") && word.contains(" ")
        {
            throw UsageError(
                "the whole command is one word", hint: "leave out the quotes around it", command: Self.spec.name)
        }
        guard !words.isEmpty else {
            throw UsageError(
                "\"curl\" takes the words of a curl command",
                hint: "write for example: reqcli curl https://example.com",
                command: Self.spec.name)
        }
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        let (commands, problems) = CurlCommand.read(
            ShellScript(arguments: ["curl"] + words, name: "the command line"),
            files: ImportSourceReader(context).typedFiles)
        if problems.contains(where: { $0.code == .curlHelp }) {
            Program.showHelp(on: .command(Self.spec), isShort: !words.contains("--help"), context)
            return .success
        }
        let workspace = Workspace(
            root: "/", currentFolder: try context.startFolder(), files: context.files.withoutDefinitions,
            permits: { _, _, _ in .granted })
        let report = try await ImportRun(importing(), in: workspace, context).report()
        try refuseLosses(report, commands)
        var flags: [[String]] = []
        let left = report.losses(besides: []).compactMap(\.place)
        for command in commands { flags += try command.sendWords(carrying: left) }
        guard flags.count == report.calls.count, !flags.isEmpty else {
            throw Failure(
                .usage, code: .usageInvalid, "the command needs values that it doesn't have, such as standard input",
                hint: "put them into a file, or run curl itself")
        }
        let drafts = report.files.map { (workspace.path($0.path), $0.after) }
        let values = report.imported.secrets.compactMap { secret in secret.value.map { (secret.variable, $0) } }
        let sending = context.with(drafts: Dictionary(drafts) { $1 }, variables: Dictionary(values) { $1 })
        var statuses: [ExitStatus] = []
        for (flags, call) in zip(flags, report.calls) {
            let line =
                ["send", "--workspace=/", "--env=\(report.imported.firstEnvironment)", "--trust"] + flags
                + ["--", call.id] + call.arguments.flatMap(\.typed)
            // After an error, curl sends the next request.
            do throws(Failure) { statuses.append(try await command(line).run(in: sending)) } catch {
                sending.report(error)
                statuses.append(error.status)
            }
            if statuses.last?.signal != nil { break }
        }
        return ExitStatus.worst(of: statuses)
    }

    /// Options without an effect on the request, the response or a file.
    private static let harmless: Set<String> = [
        "alpn", "buffer", "compressed", "disable", "fail-with-body", "happy-eyeballs-timeout-ms", "http0.9",
        "keepalive",
        "keepalive-cnt", "keepalive-time", "npn", "parallel", "parallel-immediate", "parallel-max", "parallel-max-host",
        "progress-bar", "progress-meter", "remote-header-name", "sessionid", "show-error", "silent", "styled-output",
        "tcp-fastopen", "tcp-nodelay",
    ]

    /// Rejects a command of which a part would not be sent, or not in the way of curl.
    private func refuseLosses(_ report: ImportReport, _ commands: [CurlCommand]) throws(Failure) {
        let carried = commands.flatMap(\.unsupported).filter { $0.word != nil }.map(\.place)
        var problems = report.losses(besides: carried).map { note in
            Diagnostic(code: .usageInvalid, note.text, at: nil)
        }
        problems += commands.flatMap(\.leftOut).filter { !Self.harmless.contains($0) }.map { name in
            Diagnostic(
                code: .usageInvalid, "--\(name) has no counterpart here", at: nil)
        }
        guard !problems.isEmpty else { return }
        throw Failure(
            .usage, problems,
            details: [
                "Nothing was sent, because curl would do something else. Leave these options out, or run curl itself."
            ])
    }

    private func importing() throws(Failure) -> ImportCommand {
        let line = [
            "import", "--exact", "--dry-run", "--make-stubs=none", "--env=\(Workspace.standardEnvironment)", "--",
            "curl",
        ]
        return try parsed(line + words) { (arguments) throws(UsageError) in
            var command = try ImportCommand(arguments)
            command.isCall = true
            return command
        }
    }

    private func command(_ line: [String]) throws(Failure) -> SendCommand {
        try parsed(line) { (arguments) throws(UsageError) in try SendCommand(arguments) }
    }

    private func parsed<Result>(
        _ line: [String], _ make: (ParsedArguments) throws(UsageError) -> Result
    ) throws(Failure) -> Result {
        do throws(UsageError) {
            guard case .run(let arguments) = try Program.spec.parse(line) else {
                throw UsageError("the command asks for help or the version", command: Self.spec.name)
            }
            return try make(arguments)
        } catch {
            throw Failure(
                .usage, error.problems.map { Diagnostic(code: .usageInvalid, $0.message, at: nil, hint: $0.hint) })
        }
    }
}

extension CurlCommand.Unsupported {
    /// The flag of `send` with its value; nil if there is none, or if the flag doesn't mean the same in all cases.
    fileprivate var word: String? {
        guard let flag, !flag.contains(" "), option != "-U", option != "--proxy-user" else { return nil }
        guard let value, flag != "--continue" else { return flag }
        guard let text = value.text else { return nil }
        let scheme = [
            "--socks4": "socks4", "--socks4a": "socks4a", "--socks5": "socks5", "--socks5-hostname": "socks5h",
        ][option]
        return "\(flag)=\(scheme.map { "\($0)://" } ?? "")\(text)"
    }
}

extension CurlCommand {
    /// The flags of `send` for what an endpoint can't say, for each URL that is called.
    ///
    /// - Parameter left: The places of what the imported files don't say.
    fileprivate func sendWords(carrying left: [Place]) throws(Failure) -> [[String]] {
        let perURL = ["--output", "--download"]
        // With the headers printed, there is nothing else of a response to HEAD to print.
        let common =
            try unsupported.filter { option in left.contains { $0.isSame(as: option.place) } }.compactMap(\.word)
            + Self.words(
                printing.filter { !perURL.contains($0.flag) && !(isHead && $0.flag == "--include") })
        // Each -o or -O belongs to one URL.
        let outputs = printing.filter { perURL.contains($0.flag) }
        let count = targets.reduce(0) { $0 + $1.url.expanded(atMost: Self.mostURLs).count }
        let isInclude = printing.contains { $0.flag == "--include" }
        if !outputs.isEmpty, isInclude || isHead { throw Self.unlike("-i and -I with -o or -O") }
        if count > 1, printing.contains(where: { $0.flag == "--dump-header" }) {
            throw Self.unlike("-D with several URLs")
        }
        var all: [[String]] = []
        for (index, target) in targets.enumerated() {
            for url in target.url.expanded(atMost: Self.mostURLs) {
                var named: [String] = []
                if index < outputs.count {
                    // Without -J, curl takes the name from the URL, and never from the server.
                    let name = leftOut.contains("remote-header-name") ? nil : Self.lastSegment(of: url.word)
                    named =
                        outputs[index].value == nil && name != nil
                        ? ["--output=\(name ?? "")"]
                        : try Self.words([outputs[index]]).map { CurlURL.naming($0, url.parts) }
                }
                all.append((isHead ? ["--headers"] : []) + common + named)
            }
        }
        return all
    }

    private static func unlike(_ what: String) -> Failure {
        Failure(
            .usage, code: .usageInvalid, "\(what) would not do what curl does, so nothing was sent",
            hint: "leave one of them out, or run curl itself")
    }

    /// The last segment of a URL's path; nil if there is none.
    private static func lastSegment(of url: ShellWord) -> String? {
        guard let text = url.text, let mark = text.firstRange(of: "://")?.upperBound ?? text.indices.first else {
            return nil
        }
        let path = text[mark...].prefix { $0 != "?" && $0 != "#" }.split(
            separator: "/", omittingEmptySubsequences: false)
        return path.count > 1 ? path.last.flatMap { $0.isEmpty || $0 == ".." || $0 == "." ? nil : String($0) } : nil
    }

    private static func words(_ options: [(flag: String, value: ShellWord?)]) throws(Failure) -> [String] {
        var words: [String] = []
        for (flag, value) in options {
            if let value, value.text == nil {
                throw Failure(.usage, code: .usageInvalid, "the value of \(flag) is not text")
            }
            words.append(flag + (value?.text.map { "=\($0)" } ?? ""))
        }
        return words
    }
}

extension Context {
    /// A copy with files that exist only for this run, and with more variables.
    fileprivate func with(drafts: [String: [UInt8]], variables: [String: String]) -> Context {
        var context = self
        context.world.files = files.withoutDefinitions.with(drafts: drafts)
        let variable = world.variable
        // A pipe that the command doesn't read is left to the script around it.
        context.world.pipedInput = { _ in .nothing }
        context.world.variable = { name in variables[name] ?? (name == History.variable ? "0" : variable(name)) }
        return context
    }
}

extension FileSystem {
    /// A copy in which the root of the machine is an empty workspace, so that the paths of all other files are below a workspace.
    fileprivate var withoutDefinitions: FileSystem {
        let base = self
        let names =
            Workspace.definitionFolders + [Workspace.settingsFile, DotEnvFile.name, DotEnvFile.ignoreFile, "imports"]
        @Sendable func isHidden(_ path: String) -> Bool {
            names.contains { path == "/\($0)" || path.hasPrefix("/\($0)/") }
        }
        return FileSystem(
            read: { path, limit throws(FileProblem) in
                if isHidden(path) { throw FileProblem(.missing) }
                return try base.read(path, limit)
            },
            kind: { isHidden($0) ? nil : base.kind($0) },
            names: { folder throws(FileProblem) in
                if isHidden(folder) { throw FileProblem(.missing) }
                return try base.names(folder)
            },
            resolve: { isHidden($0) ? nil : base.resolve($0) }, owner: base.owner)
    }
}
