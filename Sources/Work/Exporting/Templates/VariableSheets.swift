import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// The variables of each environment, for files of variables.
struct VariableSheets {
    /// A variable; a secret has no value.
    typealias Variable = (name: String, value: String?)

    let all: [(chain: EnvironmentChain, variables: [Variable])]
    /// The variables for headers whose values differ between the environments, by the name of the header in lower case.
    private let differing: [String: String]

    init(_ source: ExportSource, _ dialect: TemplateDialect) {
        let bases = source.environments.map { RequestMaker(source, in: $0, .filled).base() }
        var differing: [String: String] = [:]
        for header in bases.first.flatMap({ $0 })?.headers ?? []
        where !["authorization", "user-agent"].contains(header.name.lowercased()) {
            let values = Set(
                bases.map { $0?.headers.first { $0.name.lowercased() == header.name.lowercased() }?.value })
            let isOpen = values.contains {
                $0.map { OrderedJSON.string($0).hasOpenValues || !dialect.holds($0) } ?? true
            }
            if values.count > 1, !isOpen, Name.isValid(header.name) {
                differing[header.name.lowercased()] = header.name
            }
        }
        self.differing = differing
        let baseName = VariableNames.base(source)
        all = zip(source.environments, bases).map { chain, base in
            let url = base.map { OrderedJSON.string($0.url).filling { .string("{{\($0.name)}}") }.plainText }
            var variables: [Variable] = [(baseName, url ?? "")]
            for (key, name) in differing.sorted(by: { $0.key < $1.key }) {
                variables.append((name, base?.headers.first { $0.name.lowercased() == key }?.value ?? ""))
            }
            for variable in chain.variables where differing[variable.name.lowercased()] != variable.name {
                guard let literal = variable.value.set?.literal, dialect.holds(literal.plainText) else {
                    continue
                }
                variables.append((variable.name, literal.plainText))
            }
            return (chain, variables + chain.secrets.map { ($0.name, nil) })
        }
    }

    /// The names of variables for headers.
    var headerNames: [String] { Array(differing.values) }

    /// The variable for a header that the environments set; nil if `value` isn't the header's value in the first environment.
    func variable(forHeader name: String, _ value: String) -> String? {
        guard let variable = differing[name.lowercased()],
            all.first?.variables.first(where: { $0.name == variable })?.value == value
        else { return nil }
        return variable
    }
}
