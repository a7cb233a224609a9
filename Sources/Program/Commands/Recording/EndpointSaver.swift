import Calling
import CommandLineKit
import Exchange
import Foundation
import Recording
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Keeps a typed request as an endpoint in a file, once the server has responded.
struct EndpointSaver {
    /// The request that a call of the saved endpoint makes. It proves that the endpoint sends the same as the typed request.
    let proof: AssembledRequest
    private let id: String
    private let json: OrderedJSON
    private let omittedFlags: [String]
    private let mayReplace: Bool
    private let workspace: Workspace
    /// The file of the first environment, for a workspace that has no environments yet.
    private let environmentFile: FileSet.File?
    private let context: Context
    private let fileSet: FileSet

    /// Nil if nothing is to be saved. Reasons why the request can't be saved are reported before it is sent.
    init?(
        _ arguments: ParsedArguments, _ typed: AssembledRequest, _ flags: RequestFlags, _ session: CallSession,
        _ context: Context
    ) throws(Failure) {
        guard let id = arguments[RecordingOptions.save] else { return nil }
        let workspace = try context.workspaceToSaveIn(arguments)
        let definition = try TypedDefinition(
            typed.call.overrides, contentType: typed.request.headers["Content-Type"]
        ) { path in
            FilePath.shown(FilePath.tidy(FilePath.join(workspace.currentFolder, path)), from: workspace.root)
        }
        let (json, values) = definition.json()
        // A password of the command line may also be typed as another part of the request.
        if typed.redactor.redact(json.compact) != json.compact {
            throw Failure(
                unsaved: "the request has the value of a secret in a place that the file would show",
                hint: "send it without --save, or write the value after a name such as password=…")
        }
        let name = arguments[SharedOptions.environment]
        let environmentFile = try context.environmentFile(for: typed.call.overrides, flag: name, in: workspace)
        self.id = id
        self.json = json
        self.workspace = workspace
        self.environmentFile = environmentFile
        self.context = context
        omittedFlags = definition.omittedFlags
        mayReplace = arguments[RecordingOptions.force]
        fileSet = FileSet(files: context.files, writing: context.writing)

        let addition = try Self.addition(of: id, json, to: workspace, replacing: mayReplace)
        var drafts = [workspace.path(addition.path): addition.bytes]
        if let environmentFile { drafts[environmentFile.path] = environmentFile.bytes }
        let draft = workspace.with(drafts)
        let environment = try context.environment(flag: name, in: draft)
        proof = try context.assemble(
            try context.endpoint(id, in: draft.inside(environment)), flags.replaced(byValues: values),
            environment: environment, in: workspace, session: session, knowing: typed.call)
        guard let part = Self.difference(typed.request, proof.request, in: workspace.currentFolder) else { return }
        throw Failure(
            unsaved: part == Self.server
                ? "\(typed.request.url.origin) is not the server of the environment \(environment.name)"
                : "in the environment \(environment.name), the endpoint would send a different \(part)",
            hint: part == Self.server || name != nil || flags.typed?.target == .environment
                ? "name another environment with --env, or leave out --save"
                : "pass --env \(environment.name) to send the request with what the environment adds")
    }

    private static let server = "server"

    /// The first part in which two requests differ on the wire.
    private static func difference(_ typed: PreparedRequest, _ made: PreparedRequest, in folder: String) -> String? {
        func pieces(_ request: PreparedRequest) -> [RequestBody.Piece] {
            (request.body?.pieces ?? []).map { piece in
                guard case .file(let path) = piece else { return piece }
                return .file(path: FilePath.tidy(FilePath.join(folder, path)))
            }
        }
        func path(_ request: PreparedRequest) -> String {
            let path = request.url.path(percentEncoded: true)
            return path.isEmpty ? "/" : path
        }
        if WebOrigin(typed.url) != WebOrigin(made.url) { return server }
        if typed.method != made.method { return "method" }
        if path(typed) != path(made) { return "path" }
        if typed.url.query(percentEncoded: true) != made.url.query(percentEncoded: true) { return "query" }
        let names = typed.headers.map(\.name) + made.headers.map(\.name)
        if let name = names.first(where: { typed.headers.values($0) != made.headers.values($0) }) {
            return "header \(name)"
        }
        return pieces(typed) == pieces(made) ? nil : "body"
    }

    private static func addition(
        of id: String, _ json: OrderedJSON, to workspace: Workspace, replacing: Bool
    ) throws(Failure) -> EndpointAddition {
        do throws(EditProblem) {
            return try workspace.addition(of: id, json, replacing: replacing)
        } catch {
            let code = error.place == nil ? Diagnostic.Code.endpointUnsaved : .endpointExists
            throw Failure(
                .usage, code: code, "--save: \(error.reason)", at: error.place, hint: error.hint)
        }
    }

    /// Waits until no file is partly changed.
    func settle() { fileSet.settle() }

    func save() throws(Failure) {
        // Another run may want to add to the same file, so the file is read and written under one lock.
        let folder = workspace.path("endpoints")
        let unlock = context.writing.lockFolder(context.files.kind(folder) == nil ? workspace.root : folder)
        defer { unlock() }
        let addition = try Self.addition(of: id, json, to: workspace, replacing: mayReplace)
        let path = workspace.path(addition.path)
        _ = try context.endpoint(id, in: workspace.with([path: addition.bytes]))
        // A link stays a link: the file that it points to is replaced.
        let file = FileSet.File(
            path: context.files.resolve(path) ?? path, bytes: addition.bytes, isThere: addition.isThere)
        do throws(WritingProblem) {
            try fileSet.write([environmentFile].compactMap(\.self) + [file])
        } catch {
            throw Failure(
                .outputFailed, code: .endpointUnsaved, "cannot save \(workspace.shown(addition.path)): \(error.reason)")
        }
        note(addition)
    }

    private func note(_ addition: EndpointAddition) {
        let server = environmentFile.map { FilePath.shown($0.path, from: workspace.currentFolder) }
        context.note(
            "saved as \(id) in \(workspace.shown(addition.path))\(server.map { ", and its server in \($0)" } ?? "")")
        let names = proof.call.arguments.map { argument in
            if case .file = argument.source { "\(argument.name)@=FILE" } else { "\(argument.name)=…" }
        }
        if !names.isEmpty { context.note("the saved endpoint has no value for \(names.joined(separator: ", "))") }
        if !omittedFlags.isEmpty { context.note("not saved: \(omittedFlags.joined(separator: ", "))") }
    }
}

extension Context {
    /// The workspace of the call. If no workspace is found, the current folder becomes a workspace.
    fileprivate func workspaceToSaveIn(_ arguments: ParsedArguments) throws(Failure) -> Workspace {
        if let workspace = try openIfThere(arguments) { return workspace }
        return try workspaceOfNoFiles()
    }

    /// The file of an environment with the request's server, for a workspace without environments.
    fileprivate func environmentFile(
        for overrides: [CommandLineOverride], flag: String?, in workspace: Workspace
    ) throws(Failure) -> FileSet.File? {
        let server = overrides.compactMap { if case .baseURL(let url) = $0.change { url } else { nil } }.last
        guard let server, flag == nil, workspace.environmentEntries().value.isEmpty else { return nil }
        let name = try chooseEnvironment(flag: nil, in: workspace).name
        guard Name.isValid(name) else { return nil }
        let json = OrderedJSON.object(["baseURL": .string(server)])
        return FileSet.File(
            path: workspace.path("environments/\(name).json"), bytes: Array((json.pretty + "\n").utf8), isThere: false)
    }
}

extension URL {
    /// The scheme, host and port, as they were given.
    fileprivate var origin: String { "\(scheme ?? "")://\(host ?? "")\(port.map { ":\($0)" } ?? "")" }
}

extension Diagnostic.Code {
    static let endpointExists: Self = "endpoint.exists"
}
