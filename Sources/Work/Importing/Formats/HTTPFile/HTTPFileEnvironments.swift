import ReqcliDefinitions
import ReqcliText

/// The environments of `http-client.env.json`, of `http-client.private.env.json`, and of the settings of VS Code.
struct HTTPFileEnvironments {
    private(set) var environments: [ImportedEnvironment] = []
    private(set) var notes: [ConversionNote] = []
    private var shared: [OrderedJSON.Member] = []
    private var indices: [String: Int] = [:]

    /// The files with environments that editors read beside a file with requests.
    static let fileNames = ["http-client.env.json", "http-client.private.env.json", ".vscode/settings.json"]

    /// Whether a file of this name holds environments.
    static func isOne(_ file: SourceFile) -> Bool {
        let name = SourceFolder.name(of: file)
        return name.hasSuffix("http-client.env.json") || name.hasSuffix("http-client.private.env.json")
            || file.name.hasSuffix(".vscode/settings.json")
    }

    /// Adds the environments of a file. Fails for a file that isn't JSON.
    mutating func add(_ file: SourceFile) throws(ImportProblem) {
        let document = JSONDocument.read(file, syntax: .commented)
        guard let root = document.validRoot else { throw ImportProblem(document.diagnostics) }
        let isSettings = file.name.hasSuffix("settings.json")
        let isPrivate = file.name.hasSuffix(".private.env.json")
        guard let all = isSettings ? root["rest-client.environmentVariables"] : root, all.kind == .object else {
            return
        }
        for environment in all.members where environment.value.kind == .object {
            let variables = variables(of: environment.value)
            if environment.name == "$shared" {
                shared += variables
            } else {
                add(environment.name, variables, isPrivate: isPrivate)
            }
        }
    }

    private mutating func variables(of object: JSONValue) -> [OrderedJSON.Member] {
        var variables = LastMembers()
        for member in object.members {
            let value = OrderedJSON(member.value)
            let name = ParamNames.clean(member.name)
            if member.value.kind == .object || member.value.kind == .array {
                notes.append(
                    ConversionNote(
                        .lost, "a variable that is an object or a list is not converted", name,
                        at: member.value.place))
                continue
            }
            variables.set(OrderedJSON.Member(name, value.mappingTexts { Self.template($0) }))
        }
        return variables.members
    }

    /// Converts a value that may refer to other variables.
    private static func template(_ text: String) -> String {
        TemplateText(braced: text) { content in
            let words = content.split(separator: " ")
            if content.hasPrefix("$shared"), words.count == 2 {
                return .placeholder(ParamNames.clean(String(words[1])))
            }
            return .placeholder(ParamNames.clean(content))
        }.text
    }

    private mutating func add(_ name: String, _ variables: [OrderedJSON.Member], isPrivate: Bool) {
        let name = ParamNames.clean(name)
        let index = indices[name] ?? environments.count
        if index == environments.count { environments.append(ImportedEnvironment(name: name)) }
        indices[name] = index
        let names = Set(variables.map(\.name))
        if isPrivate {
            environments[index].variables.removeAll { names.contains($0.name) }
            environments[index].secrets.removeAll { names.contains($0.name) }
            environments[index].secrets += variables.map {
                OrderedJSON.Member($0.name, .string($0.value.scalarText ?? ""))
            }
        } else {
            let secrets = Set(environments[index].secrets.map(\.name))
            environments[index].variables += variables.filter { !secrets.contains($0.name) }
        }
    }

    /// The environments. Each of them also gets the variables that all environments share.
    func all(with variables: [OrderedJSON.Member]) -> [ImportedEnvironment] {
        var all = environments
        if all.isEmpty, !(shared + variables).isEmpty { all = [ImportedEnvironment()] }
        for index in all.indices {
            var known = Set((all[index].variables + all[index].secrets).map(\.name))
            all[index].variables += (shared + variables).filter { known.insert($0.name).inserted }
        }
        return all
    }
}
