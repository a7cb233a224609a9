package import CommandLineKit
import Rendering
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
package import ReqcliText
import RequestBuilding

/// Opens a call of the history as an endpoint in the user's editor, and sends the edited endpoint.
package struct EditCommand: Command {
    static let number = Argument(
        optional: "N", .integer("N", in: 1...999_999_999),
        "The number of the call in \"reqcli history\" (default: the last call)")

    package static let spec = CommandSpec(
        "edit", "Edit an earlier call in your editor, and send it",
        examples: [
            Example("The last call", "reqcli edit"),
            Example("An earlier call", "reqcli edit 12"),
        ],
        arguments: ArgumentList(number),
        options: [
            SendOptions.printing, OptionGroup("Environment", SharedOptions.environment),
            OptionGroup("Transfer", SendOptions.yes, RequestOptions.trust, RequestOptions.noInput),
        ],
        sections: [
            TextSection(
                "What is edited",
                """
                edit opens a copy of the call's endpoint or, for a call of a URL or path, the endpoint that --save would \
                write. The params and flags of the call stay unchanged. The copy is not in the workspace: to keep a change, \
                copy it to endpoints/. The editor is $VISUAL, else $EDITOR, else vi. Nothing is sent if the editor fails or \
                the file is empty.
                """)
        ],
        exitStatuses: SendCommand.spec.exitStatuses,
        essentials: ["include", "verbose", "output", "select", "env", "json"],
        page: "reference/history.md")

    private let arguments: ParsedArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        guard arguments[RequestOptions.noInput] else { return }
        throw UsageError(
            "\"edit\" opens an editor, which --no-input forbids",
            hint: "\"reqcli send --again N NAME=VALUE\" repeats a call with other values", command: Self.spec.name)
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        let again = try CallAgain(number: arguments[Self.number], arguments, words: [], context)
        let call = try again.command()
        let draft = try EndpointDraft(of: call, named: again.identity, context)
        let edited = try draft.edited()
        context.note("the edited endpoint is in \(draft.path); \"edit \(again.number)\" continues with it")
        return try await SendCommand(call, calling: edited).run(in: context)
    }
}

/// An endpoint that is in no file of the workspace, and how to call it.
struct EditedEndpoint {
    let endpoint: LocatedEndpoint
    let flags: RequestFlags
    let scene: (workspace: Workspace, environment: EnvironmentChain)
}

/// The file in which the user edits an endpoint.
private struct EndpointDraft {
    let path: String
    private let original: LocatedEndpoint
    private let flags: RequestFlags
    private let scene: (workspace: Workspace, environment: EnvironmentChain)
    private let context: Context

    /// - Parameter identity: The name of the call. If the user has edited this call before, its file is used again.
    init(of call: SendCommand, named identity: String, _ context: Context) throws(Failure) {
        self.context = context
        scene = try context.scene(of: call.flags, call.arguments)
        original = try context.endpoint(of: call.flags, in: scene.workspace)
        let definition: OrderedJSON
        if call.flags.typed == nil {
            definition = EndpointSource(original).own
            flags = call.flags
        } else {
            (definition, flags) = try Self.definition(of: call, scene, context)
        }
        let name = "\(identity)-\(call.flags.typed == nil ? original.id : "request").json"
        path = try Self.write(definition, named: name, context)
    }

    /// A typed request as an endpoint, with the flags that an endpoint can't have.
    private static func definition(
        of call: SendCommand, _ scene: (workspace: Workspace, environment: EnvironmentChain), _ context: Context
    ) throws(Failure) -> (OrderedJSON, RequestFlags) {
        let shown = try context.assembleToShow(
            call.flags, environment: scene.environment, in: scene.workspace,
            session: try context.session(call.flags.session, isSending: false))
        let root = scene.workspace.root
        // With an environment, the server stays on the command line: it is also the server of the calls that are needed first.
        let hasEnvironment = !scene.environment.name.isEmpty
        let written = call.flags.overrides.filter { $0.isWrittenInEndpoint(withServer: !hasEnvironment) }
        let definition = try TypedDefinition(written, contentType: shown.request.headers["Content-Type"]) { path in
            FilePath.shown(FilePath.tidy(FilePath.join(scene.workspace.currentFolder, path)), from: root)
        }
        let (json, values) = definition.json()
        var members = json.members
        let servers = written.compactMap { if case .baseURL(let url) = $0.change { url } else { nil } }
        if let server = servers.last { members.insert(OrderedJSON.Member("baseURL", .string(server)), at: 0) }
        // A password of the command line may also be typed as another part of the request.
        guard shown.redactor.redact(json.compact) == json.compact else {
            throw Failure(
                unsaved: "it has the value of a secret in a place that the file would show",
                hint: "write the value after a name such as password=…")
        }
        return (.object(members), call.flags.unwritten(values, withServer: !hasEnvironment))
    }

    private static func write(_ definition: OrderedJSON, named name: String, _ context: Context) throws(Failure)
        -> String
    {
        let folder = "edited"
        guard let path = StateFolder.path("\(folder)/\(name)", variable: context.world.variable),
            let state = StateFolder(folder, context)
        else {
            throw Failure(
                .usage, code: .usageInvalid, "there is no place for the file to edit without a home folder",
                hint: "set HOME")
        }
        do throws(WritingProblem) {
            try state.change { changes throws(WritingProblem) in
                if state.read(name, upTo: Workspace.largestFile) != nil { return }
                try changes.write(name, Array((definition.pretty + "\n").utf8))
            }
        } catch {
            throw Failure(.outputFailed, code: .outputFailed, "cannot write \(path): \(error.reason)")
        }
        return path
    }

    /// The endpoint after the user has edited it. If the file has mistakes, the user can edit it again.
    func edited() throws(Failure) -> EditedEndpoint {
        while true {
            try edit()
            let bytes = try context.read(path, upTo: Workspace.largestFile, called: path)
            guard !String(decoding: bytes, as: UTF8.self).allSatisfy(\.isWhitespace) else {
                throw Failure(.usage, code: .usageInvalid, "\(path) is empty, so nothing is sent")
            }
            let read = original.defined(by: SourceFile(name: path, bytes: bytes))
            if let endpoint = read.value, !read.diagnostics.contains(where: { $0.severity == .error }) {
                context.report(read.diagnostics)
                return EditedEndpoint(endpoint: endpoint, flags: flags, scene: scene)
            }
            guard context.terminal.canAsk else { throw Failure(.broken, read.diagnostics) }
            context.report(read.diagnostics)
            guard case .line(let answer) = context.terminal.ask("Edit it again? [Y/n] "),
                !["n", "no"].contains(answer.lowercased())
            else { throw Failure(.broken, []) }
        }
    }

    private func edit() throws(Failure) {
        let named = context.setVariable("VISUAL") ?? context.setVariable("EDITOR")
        let editor: String
        if let named { editor = named } else { editor = try context.configured("EDITOR") ?? "vi" }
        let status = context.runEditor(editor, path)
        if status == 0 { return }
        throw Failure(
            .usage, code: .usageInvalid,
            "the editor \"\(TerminalText.harmless(editor))\" \(status.map { "ended with status \($0)" } ?? "was not run to its end"), so nothing is sent",
            hint: "set EDITOR to a program that waits until the file is closed, such as vi or \"code --wait\"")
    }
}

extension CommandLineOverride {
    /// Whether an endpoint file can have what the flag says. Credentials and standard input stay on the command line.
    func isWrittenInEndpoint(withServer hasServer: Bool) -> Bool {
        switch change {
        case .baseURL: hasServer
        case .transfer, .transferFile, .credentials, .spooledInput, .pipedBody, .bodyFile("-"): false
        case .header(let name, let values):
            !LikelySecret.isHeader(name) && !values.contains { LikelySecret.isIn($0) }
        default: true
        }
    }
}
