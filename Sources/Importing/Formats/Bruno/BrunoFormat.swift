package import SourceText

/// Collections of Bruno: folders of .bru files.
package enum BrunoFormat: ImportFormat {
    package static let name = "bruno"
    package static let summary = "collections of Bruno, folders of .bru files"
    package static let sources: ImportSourceKinds = .folder

    package static func looksLike(_ file: SourceFile) -> Bool {
        let name = SourceFolder.name(of: file)
        if name.hasSuffix(".bru") || name == "bruno.json" { return true }
        let first = SourceLine.lines(of: file, atMost: 20).first { !$0.trimmed.isEmpty }?.text.trimmed
        return first == "meta {"
    }

    package static func read(
        _ source: ImportSource, _ options: ImportOptions, _ notes: inout [ImportNote]
    ) throws(ImportProblem) -> ImportedAPI {
        var reader = BrunoReader(options)
        try reader.read(source.files)
        notes += reader.notes
        return reader.api
    }
}

/// Reads the files of a collection.
private struct BrunoReader {
    private(set) var api = ImportedAPI()
    private(set) var notes: [ImportNote] = []
    private let options: ImportOptions
    private var root: [String] = []
    /// What folders say, by their paths; that of the collection is at the empty one.
    private var levels: [[String]: BrunoLevel] = [:]
    private var needsToken = false
    /// The values of the first environment as its file has them.
    private var environmentValues: [String: String]?

    init(_ options: ImportOptions) { self.options = options }

    private static func path(_ file: SourceFile) -> [String] { file.name.split(separator: "/").map(String.init) }

    mutating func read(_ files: [SourceFile]) throws(ImportProblem) {
        // Without bruno.json, the folder that all files share is the collection.
        let shared = SourceFolder(files)
        if let first = files.first { root = Self.path(first).dropLast().dropLast(shared.folders(of: first).count) }
        for file in files where SourceFolder.name(of: file) == "bruno.json" {
            root = Array(Self.path(file).dropLast())
            let document = JSONDocument.read(file)
            guard document.problems.isEmpty else { throw ImportProblem(document.diagnostics) }
            api.title = document.root?["name"]?.string
            break
        }
        var requests: [(file: BruFile, folders: [String])] = []
        var problems: [Diagnostic] = []
        for file in files where files.count == 1 || file.name.hasSuffix(".bru") {
            if SourceFolder.name(of: file) == "bruno.json" { continue }
            do throws(ImportProblem) {
                try add(BruFile(file), to: &requests)
            } catch {
                problems += error.diagnostics
            }
        }
        if !problems.isEmpty { throw ImportProblem(problems) }
        var jsonNames: [Set<String>] = []
        var sources: [(file: BruFile, levels: [BrunoLevel])] = []
        for (file, folders) in requests {
            let chain = (0...folders.count).compactMap { levels[Array(folders.prefix($0))] }
            // The first level is the collection's, whose variables belong to the environments.
            let hasRoot = levels[[]] != nil
            let around = hasRoot ? chain : [BrunoLevel()] + chain
            var mapping = BrunoMapping(file, around, isExact: options.isExact)
            let request = mapping.request()
            notes += mapping.notes.inOrder
            needsToken = needsToken || mapping.needsToken
            guard var request else { continue }
            request.folders = folders
            api.requests.append(request)
            jsonNames.append(mapping.jsonNames)
            sources.append((file, around))
        }
        addStatements(sources)
        addVariables()
        api.declareJSON(jsonNames)
    }

    private mutating func add(
        _ file: BruFile, to requests: inout [(file: BruFile, folders: [String])]
    ) throws(ImportProblem) {
        let path = Self.path(file.file)
        let below = path.starts(with: root) ? Array(path.dropFirst(root.count)) : path
        let folders = Array(below.dropLast())
        switch below.last {
        case "collection.bru", "folder.bru":
            levels[folders] = BrunoLevel(file)
            let ignored = ["tests", "script:pre-request", "script:post-response", "vars:post-response"]
            for block in file.blocks where ignored.contains(block.name) && !block.text.trimmed.isEmpty {
                notes.append(
                    ImportNote(.lost, "a script of a folder is not carried over", block.name, at: block.place))
            }
        default:
            if folders == ["environments"]
                || file["meta"] == nil && file.blocks.allSatisfy({ $0.name.hasPrefix("vars") })
            {
                if !file.blocks.isEmpty { addEnvironment(file) }
            } else {
                requests.append((file, folders))
            }
        }
    }

    /// Says what Bruno sends for each request in the first environment.
    private mutating func addStatements(_ sources: [(file: BruFile, levels: [BrunoLevel])]) {
        let captured = Set(api.requests.flatMap { $0.captures.map(\.name) })
        let values = StatedValues(
            levels[[]]?.variables.statedValues ?? [:], environmentValues ?? [:], leavingOpen: captured)
        for (index, (file, levels)) in zip(api.requests.indices, sources) {
            guard let start = BrunoMapping.start(of: file) else { continue }
            api.requests[index].stated = BrunoStatement(file, levels, values).stated(
                method: api.requests[index].method, start)
        }
    }

    // MARK: Environments

    private mutating func addEnvironment(_ file: BruFile) {
        if environmentValues == nil { environmentValues = file["vars"]?.pairs.statedValues ?? [:] }
        let stem = SourceFolder.name(of: file.file).split(separator: ".").first.map(String.init) ?? ""
        var environment = ImportedEnvironment(name: ParamNames.clean(stem))
        for pair in file["vars"]?.pairs ?? [] where pair.isEnabled {
            environment.set(pair)
        }
        for word in file["vars:secret"]?.words ?? [] where word.isEnabled {
            let name = ParamNames.clean(word.name)
            environment.variables.removeAll { $0.name == name }
            if !environment.secrets.contains(where: { $0.name == name }) {
                environment.secrets.append(OrderedJSON.Member(name, ""))
            }
        }
        api.environments.append(environment)
    }

    /// Gives each environment the variables of the collection, and the token that requests need.
    private mutating func addVariables() {
        let pairs = levels[[]]?.variables.filter(\.isEnabled) ?? []
        if api.environments.isEmpty, !pairs.isEmpty || needsToken { api.environments = [ImportedEnvironment()] }
        for index in api.environments.indices {
            for pair in pairs { api.environments[index].set(pair) }
            if needsToken { api.environments[index].secrets.append(OrderedJSON.Member("accessToken", "")) }
        }
    }
}

extension ImportedEnvironment {
    /// Adds a variable, unless there is one of this name.
    fileprivate mutating func set(_ pair: BruPair) {
        let name = ParamNames.clean(pair.name)
        if variables.contains(where: { $0.name == name }) || secrets.contains(where: { $0.name == name }) { return }
        variables.append(OrderedJSON.Member(name, BrunoNames.value(pair.value)))
    }
}
