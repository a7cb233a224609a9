package import CommandLineKit
import Importing
import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText

/// Sends a curl command that was pasted after the program's name. The importer reads the command, and `send` sends what it made.
package struct CurlCallCommand: Command {
    static let words = Argument(
        rest: "ARGUMENT", .text("ARGUMENT", completing: .file, mayHoldSecret: true), "The words after curl, as they are"
    )

    package static let spec = CommandSpec(
        "curl", "Send a pasted curl command",
        examples: [
            Example(
                "A command from a browser or a page, after the program's name",
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
                The request that curl would send, except for the User-Agent. No file of a workspace is read, and none is written but \
                those that -o, -O and -D name. The response is printed as by send. A note names each option that has no \
                counterpart.
                """)
        ],
        exitStatuses: SendCommand.spec.exitStatuses, takesWordsLiterally: true)

    private let words: [String]

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        let typed = arguments[Self.words]
        words = Array(typed.first == "curl" ? typed.dropFirst() : typed[...])
        guard !words.isEmpty else {
            throw UsageError(
                "\"curl\" takes the words of a curl command",
                hint: "write for example: reqcli curl https://example.com",
                command: Self.spec.name)
        }
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        let commands = try read(context)
        let folder = try context.startFolder()
        // No folder has this name, so no definition of a workspace takes part.
        let root = FilePath.join(folder, "reqcli-curl-\(context.world.uuid())")
        let workspace = Workspace(
            root: root, currentFolder: folder, files: context.files, permits: { _, _, _ in .granted })
        let report = try await ImportRun(importing(), in: workspace, context).report()
        report.tellLosses(context, besides: commands.flatMap(\.unsupported).filter { $0.sendFlag != nil }.map(\.place))
        let drafts = report.files.map { (FilePath.join(root, $0.path), $0.after) }
        let values = report.imported.secrets.compactMap { secret in secret.value.map { (secret.variable, $0) } }
        let sending = context.with(
            drafts: Dictionary(drafts) { $1 }, variables: Dictionary(values) { $1 }, historyIsOn: false)
        var flags: [[String]] = []
        for command in commands { flags += try command.sendWords() }
        guard !report.calls.isEmpty else {
            throw Failure(.usage, code: .usageInvalid, "the command has no request that can be sent")
        }
        var statuses: [ExitStatus] = []
        for (index, call) in report.calls.enumerated() {
            let line =
                ["send", "--workspace=\(root)", "--env=\(report.imported.firstEnvironment)", "--trust"]
                + flags[min(index, flags.count - 1)] + ["--", call.id] + call.arguments.flatMap(\.typed)
            statuses.append(try await command(line).run(in: sending))
        }
        return ExitStatus.worst(of: statuses)
    }

    /// The commands as the importer understands them, for what the importer leaves to a call: proxies and output.
    private func read(_ context: Context) throws(Failure) -> [CurlCommand] {
        CurlCommand.read(ShellScript(arguments: ["curl"] + words, name: "the command line")).commands
    }

    private func importing() throws(Failure) -> ImportCommand {
        let line = [
            "import", "--exact", "--dry-run", "--stubs=none", "--env=\(Workspace.standardEnvironment)", "--", "curl",
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
    /// The flag of `send`, if it is one word that can be typed.
    fileprivate var sendFlag: String? { flag.flatMap { $0.contains(" ") ? nil : $0 } }
}

extension CurlCommand {
    /// The flags of `send` for what an endpoint can't say, for each URL that is called.
    fileprivate func sendWords() throws(Failure) -> [[String]] {
        let perURL = ["--output", "--download"]
        let carried = unsupported.compactMap { option in option.sendFlag.map { ($0, option.value) } }
        // With the headers printed, there is nothing else of a response to HEAD to print.
        let common = try Self.words(
            carried + printing.filter { !perURL.contains($0.flag) && !(isHead && $0.flag == "--include") })
        // As in curl, each -o is for one URL.
        let outputs = printing.filter { perURL.contains($0.flag) }
        var all: [[String]] = []
        for (index, target) in targets.enumerated() {
            let own = index < outputs.count ? try Self.words([outputs[index]]) : []
            for url in target.url.expanded(atMost: Self.mostURLs) {
                let named = own.map { word in
                    url.parts.enumerated().reduce(word) { $0.replacing("#\($1.offset + 1)", with: $1.element) }
                }
                all.append((isHead ? ["--headers"] : []) + common + named)
            }
        }
        return all
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
    fileprivate func with(drafts: [String: [UInt8]], variables: [String: String], historyIsOn: Bool) -> Context {
        var context = self
        context.world.files = files.with(drafts: drafts)
        let variable = world.variable
        context.world.variable = { name in
            variables[name] ?? (name == History.variable && !historyIsOn ? "0" : variable(name))
        }
        return context
    }
}
