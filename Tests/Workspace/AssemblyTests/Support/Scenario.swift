import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// A workspace of a few lines of JSON, and a call of its one endpoint in its one environment.
///
/// The markers of `MarkedText` can be used in all texts; `marks` says where they begin.
struct Scenario {
    /// By path inside the workspace, which stands at `/w`.
    var files: [String: String] = [:]
    /// By absolute path.
    var otherFiles: [String: [UInt8]] = [:]
    /// Where links lead, by their absolute paths.
    var links: [String: String] = [:]
    var folder = "/w"
    var endpointID = "e"
    var arguments: [ParameterArgument] = []
    var overrides: [CommandLineOverride] = []
    var captures: [String: [String: OrderedJSON]] = [:]
    var secretCaptures: [String: Set<String>] = [:]
    var environmentFiles: [String] = []
    var readsBodyFiles = true
    var stub: @Sendable (inout World) -> Void = { _ in }
    /// `file:line:column` of each marker's beginning, file by file.
    private(set) var marks: [String] = []

    /// - Parameters:
    ///   - endpoint: The endpoint's object.
    ///   - environment: The environment's object; it is called `env`.
    ///   - defaults: What the group around the endpoint says, if there is one.
    ///   - overlay: What the endpoint says for `env` alone.
    ///   - bases: Further environments, by name.
    init(
        _ endpoint: String = "{}", environment: String = #"{"baseURL": "http://h"}"#, defaults: String? = nil,
        overlay: String? = nil, bases: KeyValuePairs<String, String> = [:], _ arguments: String...
    ) {
        var text = endpoint
        if let overlay {
            let separator = endpoint.contains(":") ? ", " : ""
            text = endpoint.dropLast() + "\(separator)\"environments\": {\"env\": \(overlay)}}"
        }
        if let defaults {
            endpointID = "g.e"
            add("endpoints/g.json", "{\"defaults\": \(defaults), \"endpoints\": {\"e\": \(text)}}")
        } else {
            add("endpoints/e.json", text)
        }
        for (name, base) in bases { add("environments/\(name).json", base) }
        add("environments/env.json", environment)
        give(arguments)
    }

    /// The workspace that this repository keeps as its documentation.
    init(files: [String: String], calling id: String, _ arguments: [String]) {
        self.files = files
        endpointID = id
        give(arguments)
    }

    private mutating func give(_ words: [String]) {
        for word in words {
            guard let argument = ParameterArgument(word) else {
                Issue.record("\(word) is not name=value")
                continue
            }
            arguments.append(argument)
        }
    }

    private mutating func add(_ path: String, _ text: String) {
        let marked = MarkedText(text)
        files[path] = marked.text
        for range in marked.ranges {
            let before = String(decoding: Array(marked.text.utf8)[..<range.lowerBound], as: UTF8.self)
            let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
            marks.append("\(path):\(lines.count):\((lines.last?.count ?? 0) + 1)")
        }
    }
}

// MARK: - Running it

extension Scenario {
    var memory: MemoryFiles {
        var contents: [String: MemoryFiles.Content] = ["/w/endpoints": .folder]
        for (path, bytes) in otherFiles { contents[path] = .bytes(bytes) }
        for (path, text) in files { contents["/w/\(path)"] = .text(text) }
        for (path, target) in links { contents[path] = .link(to: target) }
        return MemoryFiles(contents, currentFolder: folder)
    }

    /// The request, or why there is none. A workspace that doesn't load fails the test.
    func outcome(
        in environment: String = "env", _ memory: MemoryFiles? = nil, _ location: SourceLocation = #_sourceLocation
    ) throws -> Result<AssembledRequest, Failure> {
        let memory = memory ?? self.memory
        var world = World.unstubbed(memory)
        stub(&world)
        let workspace = Workspace(root: "/w", currentFolder: folder, files: memory.fileSystem)
        let endpoint = workspace.endpoint(endpointID)
        let chain = workspace.environment(environment)
        let problems = (endpoint.diagnostics + chain.diagnostics).map { "\($0.shown)" }
        guard case .found(let located) = endpoint.value, case .found(let layers) = chain.value else {
            Issue.record("the workspace doesn't load: \(problems)", sourceLocation: location)
            throw NotLoaded(problems: problems)
        }
        var call = Call(workspace: workspace, endpoint: located, environment: layers)
        call.arguments = arguments
        call.overrides = overrides
        call.captures = captures
        call.secretCaptures = secretCaptures
        call.environmentFiles = environmentFiles
        call.readsBodyFiles = readsBodyFiles
        call.version = "test"
        do throws(Failure) {
            return .success(try Assembler(world: world).assemble(call))
        } catch {
            return .failure(error)
        }
    }

    func assembled(
        in environment: String = "env", _ location: SourceLocation = #_sourceLocation
    ) throws -> AssembledRequest {
        switch try outcome(in: environment, nil, location) {
        case .success(let assembled): return assembled
        case .failure(let failure):
            Issue.record("no request: \(failure.messages)", sourceLocation: location)
            throw failure
        }
    }

    /// What would go on the wire.
    func wire(in environment: String = "env", _ location: SourceLocation = #_sourceLocation) throws -> Wire {
        Wire(try assembled(in: environment, location))
    }

    func failure(
        in environment: String = "env", _ location: SourceLocation = #_sourceLocation
    ) throws -> Failure {
        switch try outcome(in: environment, nil, location) {
        case .failure(let failure): return failure
        case .success(let assembled):
            Issue.record("there is a request: \(Wire(assembled).line)", sourceLocation: location)
            throw NotLoaded(problems: [])
        }
    }

    struct NotLoaded: Error {
        let problems: [String]
    }
}

extension Scenario {
    /// What is wrong with the files, before anything is asked of them.
    func loadProblems(in environment: String = "env") -> [Diagnostic] {
        let workspace = Workspace(root: "/w", currentFolder: folder, files: memory.fileSystem)
        return workspace.endpoint(endpointID).diagnostics + workspace.environment(environment).diagnostics
    }
}
