package import ReqcliDefinitions
package import ReqcliText

/// .http and .rest files of VS Code and JetBrains, with their environments.
package enum HTTPFileImport: ImportFormat {
    package static let name = "http"
    package static let summary = ".http and .rest files of VS Code and JetBrains"
    package static let extensions = ["http", "rest"]
    package static let isMistakable = true

    static let methods: Set = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "GRAPHQL", "WEBSOCKET", "GRPC",
    ]

    package static func looksLike(_ file: SourceFile) -> Bool {
        if file.name.hasSuffix(".http") || file.name.hasSuffix(".rest") { return true }
        if HTTPFileEnvironments.isOne(file) { return true }
        for line in SourceLine.lines(of: file, atMost: 100) {
            let text = line.text.trimmed
            if text.hasPrefix("###") || text.hasPrefix("# @name ") || text.hasPrefix("// @name ") { return true }
            if text.isEmpty || text.hasPrefix("#") || text.hasPrefix("//") { continue }
            if text.hasPrefix("@"), text.contains("=") { return true }
            let words = text.split(separator: " ")
            guard words.count > 1, methods.contains(String(words[0])) else { return false }
            return words[1].contains("/") || words[1].contains("{{")
        }
        return false
    }

    package static func read(
        _ source: ImportSource, _ options: ImportOptions, _ notes: inout [ConversionNote]
    ) throws(ImportProblem) -> ImportedAPI {
        var environments = HTTPFileEnvironments()
        var files: [SourceFile] = []
        for file in source.files {
            if HTTPFileEnvironments.isOne(file) {
                try environments.add(file)
            } else if source.files.count == 1 || file.name.hasSuffix(".http") || file.name.hasSuffix(".rest") {
                files.append(file)
            }
        }
        // A file alone still has the environments that the editor would find beside it.
        if let file = files.first, !source.files.contains(where: HTTPFileEnvironments.isOne) {
            let isInFolder = file.name.hasSuffix(".http") || file.name.hasSuffix(".rest")
            for name in isInFolder ? HTTPFileEnvironments.fileNames : [] {
                guard case .success(let file) = source.read(name) else { continue }
                do throws(ImportProblem) { try environments.add(file) } catch {
                    notes.append(ConversionNote(.lost, "the environments beside the file can't be read", name, at: nil))
                }
            }
        }
        notes += environments.notes
        var reader = HTTPFileReader(files, options)
        reader.read()
        notes += reader.notes
        var api = ImportedAPI()
        api.requests = reader.requests
        api.environments = environments.all(with: reader.shared)
        api.declareJSON(reader.jsonNames)
        return api
    }
}

/// Reads the requests of several files, whose variables may differ.
private struct HTTPFileReader {
    private(set) var requests: [ImportedRequest] = []
    private(set) var notes: [ConversionNote] = []
    private(set) var jsonNames: [Set<String>] = []
    /// Variables with the same value in every file that defines them.
    private(set) var shared: [OrderedJSON.Member] = []
    private let files: [(file: SourceFile, lines: HTTPFileLines)]
    private let folder: SourceFolder
    private let options: ImportOptions
    private var names: HTTPFileNames
    private var references: [String?] = []

    init(_ files: [SourceFile], _ options: ImportOptions) {
        self.files = files.map { ($0, HTTPFileLines($0)) }
        folder = SourceFolder(files)
        self.options = options
        let all = self.files.flatMap(\.lines.variables)
        let references = Set(all.filter(\.isReference).map { ParamNames.clean($0.name) })
        let variables = all.filter { !$0.isReference }.map { ParamNames.clean($0.name) }
        let used = files.flatMap { HTTPFileNames.plainNames(in: String(decoding: $0.bytes, as: UTF8.self)) }
        names = HTTPFileNames(notAmong: Set(variables + used.filter { !references.contains($0) }))
    }

    mutating func read() {
        var values: [String: Set<String>] = [:]
        for (_, lines) in files {
            for variable in lines.variables {
                values[ParamNames.clean(variable.name), default: []].insert(variable.value)
            }
        }
        var sharedNames: Set<String> = []
        for (file, lines) in files {
            var defaults = LastMembers()
            names.inlined = [:]
            names.constants = [:]
            for variable in lines.variables {
                let name = ParamNames.clean(variable.name)
                let value = names.template(variable.value)
                names.constants[name] = value.literal
                notes += names.takeNotes(at: variable.place)
                if variable.isReference {
                    names.inlined[name] = value
                } else if values[name]?.count == 1 {
                    if sharedNames.insert(name).inserted {
                        shared.append(OrderedJSON.Member(name, value.typedValue))
                    }
                } else if let literal = value.literal {
                    defaults.set(OrderedJSON.Member(name, .typed(literal)))
                } else {
                    names.inlined[name] = value
                }
            }
            for block in lines.blocks { add(block, of: file, defaults) }
        }
        addCaptures()
    }

    private mutating func add(
        _ block: HTTPFileBlock, of file: SourceFile, _ defaults: LastMembers
    ) {
        var mapping = HTTPFileMapping(
            // `names` is moved into the mapping and back. If two values shared its storage, each change would copy the storage.
            block, exchange(&names, with: HTTPFileNames(notAmong: [])), isExact: options.isExact)
        let request = mapping.request()
        names = mapping.names
        notes += mapping.notes.inOrder
        guard var request else { return }
        request.addDefaults(defaults)
        if files.count > 1 { request.folders = folder.folders(of: file) }
        requests.append(request)
        jsonNames.append(mapping.jsonNames)
        references.append(mapping.reference)
    }

    /// Adds captures to requests whose responses other requests refer to.
    private mutating func addCaptures() {
        var indices: [String: Int] = [:]
        for (index, name) in references.enumerated() {
            if let name, indices[name] == nil { indices[name] = index }
        }
        for name in names.referredNames.sorted() {
            guard let index = indices[name] else {
                notes.append(
                    ConversionNote(.toDo, "a request that other requests refer to does not exist", name, at: nil))
                continue
            }
            requests[index].captures += names.captures(of: name)
        }
    }
}

extension TemplateText {
    /// The value of a variable: a number or a text.
    fileprivate var typedValue: OrderedJSON {
        if let literal, case .number(let number) = OrderedJSON.typed(literal) { return .number(number) }
        return .string(text)
    }
}
