package import ReqcliDefinitions
package import ReqcliText

/// Hurl files, with files of variables as environments.
package enum HurlImport: ImportFormat {
    package static let name = "hurl"
    package static let summary = "Hurl files, with files of variables as environments"
    package static let extensions = ["hurl"]
    package static let isMistakable = true

    package static func looksLike(_ file: SourceFile) -> Bool {
        if file.name.hasSuffix(".hurl") { return true }
        if file.name.hasSuffix(".http") || file.name.hasSuffix(".rest") { return false }
        // A file with only requests may also be in the .http format. Expectations of a response are only in Hurl files.
        let head = SourceLine.lines(of: file, atMost: 400).map { file.text($0.range) }
        guard let first = head.first(where: { !$0.trimmed.isEmpty && !$0.hasPrefix("#") }),
            let method = first.split(separator: " ").first, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        else { return false }
        let sections: Set = [
            "[Asserts]", "[Captures]", "[QueryStringParams]", "[Query]", "[FormParams]", "[Form]",
            "[MultipartFormData]", "[Multipart]", "[Cookies]", "[BasicAuth]", "[Options]",
        ]
        return head.contains { line in
            let words = line.split(separator: " ")
            if words.count == 1, sections.contains(String(words[0])) { return true }
            return words.count >= 2 && (words[0] == "HTTP" || words[0].hasPrefix("HTTP/"))
                && (words[1] == "*" || words[1].count == 3 && Int(words[1]) != nil)
        }
    }

    package static func read(
        _ source: ImportSource, _ options: ImportOptions, _ notes: inout [ConversionNote]
    ) throws(ImportProblem) -> ImportedAPI {
        var api = ImportedAPI()
        var problems: [Diagnostic] = []
        var jsonNames: [Set<String>] = []
        let isAlone = source.files.count == 1
        let root = SourceFolder(source.files)
        for file in source.files {
            guard isAlone || file.name.hasSuffix(".hurl") else {
                add(file, to: &api, &notes)
                continue
            }
            do throws(ImportProblem) {
                let parser = try HurlParser(file)
                notes += parser.notes
                var variables = LastMembers()
                for entry in parser.entries {
                    var mapping = HurlMapping(entry, isExact: options.isExact)
                    var request = mapping.request()
                    notes += mapping.notes.inOrder
                    for variable in mapping.variables { variables.set(variable) }
                    request.addDefaults(variables)
                    if !isAlone { request.folders = root.folders(of: file) }
                    if parser.entries.count == 1, file.name.hasSuffix(".hurl") {
                        request.name = SourceFolder.stem(of: file)
                    }
                    api.requests.append(request)
                    jsonNames.append(mapping.jsonNames)
                }
            } catch {
                problems += error.diagnostics
            }
        }
        if !problems.isEmpty { throw ImportProblem(problems) }
        api.declareJSON(jsonNames)
        return api
    }

    // MARK: Variables

    private static let variableFiles = [".env", ".vars", ".variables", ".properties", ".txt"]

    /// Makes an environment from a file of variables, with `name=value` on each line.
    private static func add(_ file: SourceFile, to api: inout ImportedAPI, _ notes: inout [ConversionNote]) {
        // A folder may also hold files that requests refer to, such as bodies.
        guard variableFiles.contains(where: { file.name.hasSuffix($0) }) else { return }
        var found = LastMembers()
        for line in SourceLine.lines(of: file) {
            let text = file.text(line.range).trimmed
            if text.isEmpty || text.hasPrefix("#") { continue }
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0]).trimmed
            guard parts.count == 2, !name.isEmpty, name == ParamNames.clean(name) else {
                if file.name.hasSuffix(".txt") { return }
                notes.append(
                    ConversionNote(.lost, "a line in a file of variables is not \"name=value\"", at: line.place))
                continue
            }
            found.set(OrderedJSON.Member(name, OrderedJSON.typed(String(parts[1]).trimmed).escapingBraces))
        }
        let variables = found.members
        if variables.isEmpty { return }
        let words = Words.of(SourceFolder.stem(of: file))
            .filter { !["vars", "variables", "hurl", "env", "secrets", "secret"].contains($0) }
        var environment = ImportedEnvironment(name: words.isEmpty ? nil : words.joined(separator: "-"))
        if SourceFolder.name(of: file).lowercased().contains("secret") {
            environment.secrets = variables.map { OrderedJSON.Member($0.name, .string($0.value.scalarText ?? "")) }
        } else {
            environment.variables = variables
        }
        if let known = api.environments.firstIndex(where: { $0.name == environment.name }) {
            api.environments[known].variables += environment.variables
            api.environments[known].secrets += environment.secrets
        } else {
            api.environments.append(environment)
        }
    }
}
