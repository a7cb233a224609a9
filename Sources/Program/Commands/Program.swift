package import CommandLineKit
import Exchange
package import ReqcliText

/// The whole program, from the command line to the exit status.
package enum Program {
    package static let name = "reqcli"
    package static let version = "0.1.0"

    /// The program's commands, options and exit statuses; the commands come from ``CommandList``.
    package static let spec = ProgramSpec(
        name, version: version, "Send HTTP requests: URLs, and endpoints from JSON files in git",
        introduction: """
            You describe an API in JSON files that you commit to git: endpoints/, environments/ and stubs/. Every command \
            works from these files. URLs need no file.
            """,
        examples: [
            Example("A URL", "reqcli https://api.example.com/users page==2"),
            Example(
                "An endpoint of the workspace, here one that \"reqcli init\" makes", "reqcli send todo.list"),
        ],
        commands: CommandList.groups.map { CommandGroup($0.title, $0.commands.map { $0.spec }) },
        bareForm: BareForm(of: SendCommand.spec.name, completing: .bareForm, begins: TypedRequest.beginsLine),
        globalOptions: [GlobalOptions.group],
        environment: EnvironmentVariable.all,
        exitStatuses: ExitStatus.all,
        foreignOptions: ForeignOption.known,
        foreignCommand: foreignCommand,
        furtherReading: Documentation.ofRepository.text)

    /// The hint for a command of another program, or for a method in place of a command; nil for any other word.
    @Sendable private static func foreignCommand(_ word: String) -> String? {
        if TypedRequest.isStandardMethod(word) {
            return
                "write a method before a URL: reqcli \(word.uppercased()) URL; an endpoint has its own method: reqcli send ID"
        }
        switch word {
        case "ls": return "write list"
        case "version": return "write --version"
        case "run", "request", "call": return "\"send\" sends a request, \"check\" tests endpoints and scenarios"
        case "test": return "write check"
        case "mock": return "write serve"
        case "new", "create": return "write init"
        case "auth": return "make the login a need of other calls: reqcli help needs"
        case "config", "settings": return "\"reqcli status\" shows what is used; the settings are in reqcli.json"
        case "update": return "write import --update, or drift --update"
        case "localhost": return "a server has a port or a path: localhost:8080 or localhost/"
        case _ where word.contains("."): return "\"reqcli show \(word)\" shows an endpoint"
        default: return nil
        }
    }

    /// Parses the words after the program's name and runs the command.
    package static func run(_ words: [String], in context: Context) async -> ExitStatus {
        if let answer = HiddenCall.answer(words, in: context) {
            context.output.write(answer)
            return .success
        }
        if words.first == AgentRule.call {
            guard let rule = AgentRule(reading: words.dropFirst().first ?? "") else { return .usage }
            var limited = context
            limited.obey(rule)
            return await run(Array(words.dropFirst(2)), in: limited)
        }
        var context = context
        let (options, invocation) = spec.read(words)
        context.outputPreferences = Context.OutputPreferences(options)
        let status: ExitStatus
        var unwritten: (ExitStatus) -> ExitStatus = { _ in .outputFailed }
        do throws(UsageError) {
            let invocation = try invocation.get()
            if case .run(let arguments) = invocation { unwritten = command(of: arguments).statusIfUnwritten }
            status = await answer(invocation, context)
        } catch {
            context.messages.write(error.rendered(program: name), inColour: context.isColoured(.error))
            status = .usage
        }
        // A closed pipe is not an error: its reader wanted no more.
        guard case .failed(let reason) = context.output.problem else { return status }
        context.report(code: .outputFailed, "cannot write the output: \(reason)")
        return unwritten(status)
    }

    /// Runs the program with the process's arguments: bytes, which need not be UTF-8.
    package static func run(_ words: [[UInt8]], in context: Context) async -> ExitStatus {
        var texts: [String] = []
        for word in words {
            guard let text = String(validating: word, as: UTF8.self) else {
                // The message doesn't show the word, which may hold a secret.
                let error = UsageError(
                    "argument \(texts.count + 1) is not UTF-8, so its bytes could not be sent unchanged",
                    hint: "write it in UTF-8, or send the bytes from a file with --body @FILE")
                context.messages.write(error.rendered(program: name), inColour: context.isColoured(.error))
                return .usage
            }
            texts.append(text)
        }
        return await run(texts, in: context)
    }

    private static func answer(_ invocation: Invocation, _ context: Context) async -> ExitStatus {
        switch invocation {
        case .run(let arguments): return await runEach(arguments, context)
        case .version(let isVerbose):
            context.output.write("\(name) \(version)\n")
            if isVerbose {
                let lines = context.systemDescription + [Documentation(installedFor: context).support]
                context.output.write(lines.map { $0 + "\n" }.joined())
            }
        case .help(let subject, let isShort): showHelp(on: subject, isShort: isShort, context)
        case .nothing:
            context.messages.writeUnfiltered(
                spec.help(width: context.terminal.width(), inColour: context.isColoured(.error)))
            return .usage
        }
        return .success
    }

    static func showHelp(on subject: HelpSubject, isShort: Bool, _ context: Context) {
        let text = Documentation(installedFor: context).placed(in: spec).help(
            for: subject, isShort: isShort, width: context.terminal.width(), inColour: context.isColoured(.output))
        let pager = isShort ? nil : Pager(context)
        // Help needs no filter, because it has only the program's own text and colours.
        (pager?.output ?? context.output).writeUnfiltered(text)
        pager?.finish()
    }

    private static func command(of arguments: ParsedArguments) -> any Command.Type {
        guard let type = CommandList.command(named: arguments.command.name) else {
            preconditionFailure("\(arguments.command.name) was parsed, so it is in the list")
        }
        return type
    }

    /// Runs a command line, which may stand for several requests. As in curl, an error of one request doesn't keep the others from
    /// being sent.
    private static func runEach(_ arguments: ParsedArguments, _ context: Context) async -> ExitStatus {
        let several: SeveralURLs?
        do throws(UsageError) { several = try SeveralURLs(arguments) } catch {
            context.messages.write(error.rendered(program: name), inColour: context.isColoured(.error))
            return .usage
        }
        guard let several else { return await run(arguments, context) }
        do throws(Failure) { try several.confirm(context) } catch {
            context.report(error)
            return error.status
        }
        var context = context
        context.terminal = context.terminal.rememberingSecrets()
        return await ParallelCalls(several.lines, jobs: several.jobs, context).status()
    }

    static func run(_ arguments: ParsedArguments, _ context: Context) async -> ExitStatus {
        do {
            let command = try command(of: arguments).init(arguments)
            return try await command.run(in: context)
        } catch let error as UsageError {
            context.messages.write(error.rendered(program: name), inColour: context.isColoured(.error))
            return .usage
        } catch let failure as Failure {
            context.report(failure)
            return failure.status
        } catch {
            preconditionFailure("commands throw nothing else: \(error)")
        }
    }
}

extension Context.OutputPreferences {
    fileprivate init(_ arguments: ParsedArguments) {
        colour = arguments[GlobalOptions.noColor] ? .never : arguments[GlobalOptions.color]
        let json = SharedOptions.json("")
        reportsJSON = arguments.isDefined(json) && arguments[json]
        isQuiet = arguments[GlobalOptions.quiet]
        showsProgress = !isQuiet
    }
}

extension Diagnostic.Code {
    package static let outputFailed: Self = "output.failed"
}

/// Calls that scripts make and that help doesn't mention.
enum HiddenCall {
    /// Prints the manual page, which `make install` installs.
    static let manPage = "__man"

    /// Runs a hidden call and returns its output; nil if the words are not a hidden call.
    static func answer(_ words: [String], in context: Context) -> String? {
        switch words.first {
        case ProgramSpec.completionCall:
            let engine = CompletionEngine(Program.spec) { request in
                if request.kind == .responsePath { return ResponseCompletions(context, request)?.answer ?? .nothing }
                return WorkspaceCompletions.answerAnywhere(request) ?? WorkspaceCompletions(context, request)?.answer
                    ?? .nothing
            }
            return engine.reply(toCall: Array(words.dropFirst()), home: context.setVariable("HOME"))
        case manPage: return Program.spec.manPage
        default: return nil
        }
    }
}
