package import ReqcliDefinitions
package import ReqcliText

/// Collections of Bruno: folders of .bru files, or of YAML files with an `opencollection.yml`.
package enum BrunoImport: ImportFormat {
    package static let name = "bruno"
    package static let summary = "Bruno collections (folders with .bru or .yml files)"
    package static let extensions = ["bru"]

    package static func looksLike(_ file: SourceFile) -> Bool {
        let name = SourceFolder.name(of: file)
        if name.hasSuffix(".bru") || name == "bruno.json" || OpenCollection.looksLike(file) { return true }
        let first = SourceLine.lines(of: file, atMost: 20).first { !$0.trimmed.isEmpty }?.text.trimmed
        return first == "meta {"
    }

    package static func read(
        _ source: ImportSource, _ options: ImportOptions, _ notes: inout [ConversionNote]
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
    private(set) var notes: [ConversionNote] = []
    private let options: ImportOptions
    private var root: [String] = []
    /// The settings of folders, by their paths. The settings of the collection are at the empty path.
    private var levels: [[String]: BrunoLevel] = [:]
    private var needsToken = false

    init(_ options: ImportOptions) { self.options = options }

    private static func path(_ file: SourceFile) -> [String] { file.name.split(separator: "/").map(String.init) }

    mutating func read(_ files: [SourceFile]) throws(ImportProblem) {
        // If there is no bruno.json, the collection is the innermost folder that contains all files.
        let shared = SourceFolder(files)
        if let first = files.first { root = Self.path(first).dropLast().dropLast(shared.folders(of: first).count) }
        if let file = files.first(where: { SourceFolder.name(of: $0) == "bruno.json" || OpenCollection.isRoot($0) }) {
            root = Array(Self.path(file).dropLast())
        }
        var requests: [(file: BruFile, folders: [String])] = []
        var problems: [Diagnostic] = []
        for file in files {
            do throws(ImportProblem) {
                if SourceFolder.name(of: file) == "bruno.json" {
                    try addTitle(file)
                } else if OpenCollection.isYAML(file) {
                    try add(openCollection: file, to: &requests)
                } else if files.count == 1 || file.name.hasSuffix(".bru") {
                    try add(BruFile(file), to: &requests)
                }
            } catch {
                problems += error.diagnostics
            }
        }
        if !problems.isEmpty { throw ImportProblem(problems) }
        var jsonNames: [Set<String>] = []
        var inliningLimit = InliningLimit()
        for (file, folders) in requests {
            let chain = (0...folders.count).compactMap { levels[Array(folders.prefix($0))] }
            // The first level is the collection. The variables of the collection belong to the environments.
            let hasRoot = levels[[]] != nil
            let around = hasRoot ? chain : [BrunoLevel()] + chain
            var mapping = BrunoMapping(file, around, inliningLimit, isExact: options.isExact)
            var request = mapping.request()
            inliningLimit = mapping.inliningLimit
            if options.stubs != .none { request?.variants = mapping.variants() }
            notes += mapping.notes.inOrder
            needsToken = needsToken || mapping.needsToken
            guard var request else { continue }
            request.folders = folders
            request.filesAbove = place(of: file.file).folders.count
            api.requests.append(request)
            jsonNames.append(mapping.jsonNames)
        }
        addVariables()
        api.declareJSON(jsonNames)
    }

    private mutating func addTitle(_ file: SourceFile) throws(ImportProblem) {
        let document = JSONDocument.read(file)
        guard document.problems.isEmpty else { throw ImportProblem(document.diagnostics) }
        api.title = api.title ?? document.root?["name"]?.string
    }

    /// The folders between the collection and a file, and the name of the file.
    private func place(of file: SourceFile) -> (folders: [String], name: String) {
        let path = Self.path(file)
        let below = path.starts(with: root) ? Array(path.dropFirst(root.count)) : path
        return (Array(below.dropLast()), below.last ?? "")
    }

    // MARK: Files

    private mutating func add(
        _ file: BruFile, to requests: inout [(file: BruFile, folders: [String])]
    ) throws(ImportProblem) {
        let (folders, name) = place(of: file.file)
        switch name {
        case "collection.bru", "folder.bru": addLevel(file, at: folders)
        default:
            if folders == ["environments"]
                || file["meta"] == nil && file.blocks.allSatisfy({ $0.name.hasPrefix("vars") })
            {
                if !file.blocks.isEmpty { addEnvironment(file, named: String(name.prefix { $0 != "." })) }
            } else {
                requests.append((file, folders))
            }
        }
    }

    private mutating func add(
        openCollection file: SourceFile, to requests: inout [(file: BruFile, folders: [String])]
    ) throws(ImportProblem) {
        guard let value = try OpenCollection.read(file) else { return }
        let (folders, name) = place(of: file)
        let stem = String(name.prefix { $0 != "." })
        if value["opencollection"] != nil {
            api.title = api.title ?? value["info"]?["name"]?.scalarText
            addLevel(BruFile(openCollection: value), at: folders)
            for environment in value["config"]?.list("environments") ?? [] {
                addEnvironment(
                    BruFile(openCollection: environment), named: OpenCollection.text(environment["name"]))
            }
            for member in value["config"]?.members.map({ $0 }) ?? []
            where member.name != "environments" && member.value.string != "inherit" {
                notes.append(
                    ConversionNote(
                        .lost, "a setting of the collection is not converted", member.name, at: member.key.place))
            }
            add(itemsOf: value, folders, to: &requests)
        } else if stem == "folder" {
            addLevel(BruFile(openCollection: value), at: folders)
        } else if folders.last == "environments" || value["variables"] != nil && value["info"] == nil {
            let known = OpenCollection.text(value["name"])
            addEnvironment(BruFile(openCollection: value), named: known.isEmpty ? stem : known)
        } else if value["info"]?["type"] != nil || value["http"] != nil {
            requests.append((BruFile(openCollection: value), folders))
        }
    }

    /// Adds the requests and folders of a collection or a folder that is stored in one file.
    private mutating func add(
        itemsOf value: JSONValue, _ folders: [String], to requests: inout [(file: BruFile, folders: [String])]
    ) {
        for item in value.list("items") {
            if OpenCollection.text(item["info"]?["type"]) == "folder" {
                let inner = folders + [OpenCollection.text(item["info"]?["name"])]
                addLevel(BruFile(openCollection: item), at: inner)
                add(itemsOf: item, inner, to: &requests)
            } else {
                requests.append((BruFile(openCollection: item), folders))
            }
        }
    }

    private mutating func addLevel(_ file: BruFile, at folders: [String]) {
        levels[folders] = BrunoLevel(file)
        let ignored = ["tests", "script:pre-request", "script:post-response", "vars:post-response"]
        for block in file.blocks where ignored.contains(block.name) && !block.text.trimmed.isEmpty {
            notes.append(ConversionNote(.lost, "a script of a folder is not converted", block.name, at: block.place))
        }
    }

    // MARK: Environments

    private mutating func addEnvironment(_ file: BruFile, named name: String) {
        var environment = ImportedEnvironment(name: ParamNames.clean(name))
        let secrets = (file["vars:secret"]?.words ?? []).filter(\.isEnabled).map { ParamNames.clean($0.name) }
        var names: Set<String> = []
        environment.secrets = secrets.filter { names.insert($0).inserted }.map { OrderedJSON.Member($0, "") }
        environment.add((file["vars"]?.pairs ?? []).filter(\.isEnabled))
        api.environments.append(environment)
    }

    /// Gives each environment the variables of the collection, and the token that requests need.
    private mutating func addVariables() {
        let pairs = levels[[]]?.variables.filter(\.isEnabled) ?? []
        if api.environments.isEmpty, !pairs.isEmpty || needsToken { api.environments = [ImportedEnvironment()] }
        for index in api.environments.indices {
            api.environments[index].add(pairs)
            if needsToken { api.environments[index].secrets.append(OrderedJSON.Member("accessToken", "")) }
        }
    }
}

extension ImportedEnvironment {
    /// Adds variables. If several variables have the same name, the first one counts.
    fileprivate mutating func add(_ pairs: [BruPair]) {
        var known = Set((variables + secrets).map(\.name))
        for pair in pairs {
            let name = ParamNames.clean(pair.name)
            guard known.insert(name).inserted else { continue }
            variables.append(OrderedJSON.Member(name, BrunoNames.value(pair.value)))
        }
    }
}
