import Checking
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The limits of a call that an agent makes. The server decides them when it starts, and the process of each call keeps to them,
/// whatever the files say by then.
struct AgentRule: Sendable {
    /// The hidden call that a server starts: `__agent RULE COMMAND…`.
    static let call = "__agent"

    /// The files that decide where requests go, with the hashes of their contents; an empty one for a file that isn't there.
    var pins: [String: String] = [:]
    /// The methods that may change something.
    var methods: [String] = []
    /// The endpoints that may change something, with their methods.
    var endpoints: [String: String] = [:]
    /// The hashes of the files of these endpoints.
    var files: [String: String] = [:]
    /// The endpoint that must not change anything; nil if it may, within these limits.
    var reading: String?

    /// The hashes of the files as this process has read them.
    private let seen = SeenFiles()

    static func hash(_ bytes: [UInt8]) -> String { SHA256.hash(bytes).hex }
}

/// Notes what is read, so that the bytes that count are those that were parsed.
private final class SeenFiles: Sendable {
    private let hashes = Mutex<[String: Set<String>]>([:])

    func note(_ path: String, _ bytes: [UInt8]) {
        hashes.withLock { _ = $0[FilePath.tidy(path), default: []].insert(AgentRule.hash(bytes)) }
    }

    subscript(_ path: String) -> Set<String> { hashes.withLock { $0[path] ?? [] } }
}

// MARK: - Checking

extension AgentRule {
    /// Files that are watched while they are read.
    func watching(_ files: FileSystem) -> FileSystem {
        var watched = files
        let seen = seen
        watched.read = { path, limit throws(FileProblem) in
            let bytes = try files.read(path, limit)
            seen.note(path, bytes)
            return bytes
        }
        watched.readUnless = { path, limit, objection throws(FileProblem) in
            let bytes = try files.readUnless(path, limit, objection)
            seen.note(path, bytes)
            return bytes
        }
        return watched
    }

    /// The check of each request before it goes out.
    ///
    /// - Parameter base: The request that the environment alone makes, to the server that an agent may call.
    func limit(
        of base: AssembledRequest, _ files: FileSystem
    ) -> @Sendable (PreparedRequest, AssembledRequest) throws(Failure) -> Void {
        let origin = WebOrigin(base.request.url)
        let layers = base.call.environment.layers.map(\.place.file.name)
        return { request, assembled throws(Failure) in
            try self.refuseChanges(files, layers.map(base.call.workspace.path))
            try self.refuseMethod(
                request.method.token, of: assembled.call.endpoint, in: assembled.call.workspace)
            guard WebOrigin(request.url) == origin else {
                throw Self.refusal(
                    "agents may call \(origin.text) here, and this request goes to \(WebOrigin(request.url).text)",
                    hint: "only the files of environments decide which server an agent calls")
            }
            let way = assembled.request.transfer, own = base.request.transfer
            guard way.tls == own.tls, way.proxies == own.proxies, way.resolvedHosts == own.resolvedHosts,
                way.detours == own.detours, way.unixSocket == own.unixSocket
            else {
                throw Self.refusal(
                    "\(assembled.call.endpoint.id) has settings of its own for certificates, proxies or addresses",
                    hint: "for agents, only the files of environments decide them")
            }
            let ownLogin = assembled.call.endpoint.layers(in: assembled.call.environment.name).contains {
                $0.auth?.set != nil
            }
            guard assembled.request.tokenClient == nil || !ownLogin else {
                throw Self.refusal(
                    "\(assembled.call.endpoint.id) has a login of its own",
                    hint: "for agents, only environments have one")
            }
        }
    }

    /// - Parameter layers: The files of the environment.
    private func refuseChanges(_ files: FileSystem, _ layers: [String]) throws(Failure) {
        for path in Set(layers.map(FilePath.tidy)).union(pins.keys).sorted() {
            let seen = seen[path]
            // A file that wasn't read this time must at least be there, or still be missing.
            let isSame =
                seen.isEmpty
                ? (files.kind(path) == nil) == pins[path]?.isEmpty : pins[path].map { seen == [$0] } ?? false
            if isSame { continue }
            throw Self.refusal(
                "\(path.split(separator: "/").last ?? "") has changed since the server started",
                hint: "a person can start the server again")
        }
    }

    private func refuseMethod(
        _ method: String, of endpoint: LocatedEndpoint, in workspace: Workspace
    ) throws(Failure) {
        if HTTPMethod.isSafe(method) { return }
        if endpoint.id == reading {
            throw Self.refusal(
                "\(endpoint.id) sends \(method), and `send` only reads", hint: "`change` may be allowed to")
        }
        if methods.contains(method) { return }
        guard endpoints[endpoint.id] == method else {
            throw Self.refusal(
                "this server does not allow \(method) of \(endpoint.id)",
                hint: "a person can allow it at the start: \(Program.name) mcp --allow \(endpoint.id)")
        }
        let path = FilePath.tidy(workspace.path(endpoint.file.name))
        guard seen[path] == [files[path] ?? ""] else {
            throw Self.refusal(
                "\(endpoint.file.name) has changed since the server started",
                hint: "a person can start the server again")
        }
    }

    private static func refusal(_ message: String, hint: String) -> Failure {
        Failure(.refusedByPolicy, code: .policyRefused, message, hint: hint)
    }
}

extension Context {
    /// Limits what this process sends.
    mutating func obey(_ rule: AgentRule) {
        agent = rule
        world.files = rule.watching(world.files)
    }
}

// MARK: - As a word

extension AgentRule {
    var word: String {
        func texts(_ values: [String: String]) -> OrderedJSON {
            .object(values.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
        }
        return OrderedJSON.object([
            "pins": texts(pins), "methods": .array(methods.map { .string($0) }), "endpoints": texts(endpoints),
            "files": texts(files), "reading": reading.map { .string($0) },
        ]).compact
    }

    init?(reading word: String) {
        guard let root = JSONDocument.read(SourceFile(name: "rule", text: word)).validRoot, root.kind == .object else {
            return nil
        }
        func texts(_ key: String) -> [String: String] {
            Dictionary(
                root[key].map { $0.members.map { ($0.name, $0.value.string ?? "") } } ?? [],
                uniquingKeysWith: { first, _ in first })
        }
        (pins, endpoints, files) = (texts("pins"), texts("endpoints"), texts("files"))
        methods = root["methods"]?.elements.compactMap(\.string) ?? []
        reading = root["reading"]?.string
    }
}

// MARK: - At the start

extension AgentRule {
    /// The limits that hold from the start of a server on.
    init(
        allowing words: [String], in workspace: Workspace, _ environments: [String], _ context: Context
    ) throws(Failure) {
        var scene = context
        let watched = AgentRule()
        scene.world.files = watched.watching(context.world.files)
        let folder = Workspace(root: workspace.root, currentFolder: workspace.root, files: scene.world.files)
        // Files with mistakes are fixed as well: calls report the mistakes.
        for name in environments { _ = folder.environment(name) }
        _ = folder.loadSettings()
        pins = watched.seen.all
        for name in [Workspace.settingsFile, DotEnvFile.name] {
            let path = FilePath.tidy(FilePath.join(workspace.root, name))
            if pins[path] == nil {
                pins[path] = (try? context.files.read(path, Workspace.largestFile)).map(Self.hash) ?? ""
            }
        }
        let selectors = words.filter { !TypedRequest.isStandardMethod($0) || $0 != $0.uppercased() }
        methods = words.filter { !selectors.contains($0) }
        if selectors.isEmpty { return }
        let found = try Selection(selectors.map { Selector($0) }).endpoints(of: workspace)
        for endpoint in try found.valueOrThrow(reportingWarningsTo: context) {
            endpoints[endpoint.id] = endpoint.method
            files[FilePath.tidy(workspace.path(endpoint.file.name))] = Self.hash(endpoint.file.bytes)
        }
    }
}

extension SeenFiles {
    /// The hash of each file that was read.
    fileprivate var all: [String: String] { hashes.withLock { $0.compactMapValues(\.first) } }
}
