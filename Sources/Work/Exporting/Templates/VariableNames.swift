import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The names of variables that replace params, variables, secrets and captures. Each name has only one value. If a param has
/// different values in two endpoints, the param gets two different names.
struct VariableNames {
    struct Variable {
        let name: String
        /// The value of the variable; nil if the user has to give the value.
        let sample: String?
        /// Whether the value is a generated value that the tool can't generate.
        let isGenerated: Bool
        let place: Place
    }

    /// The params, in the order of their first use.
    private(set) var parameters: [Variable] = []
    private var values: [String: String?] = [:]
    private var taken: UniqueNames
    private var captures: [String: String] = [:]
    private let abilities: ToolAbilities

    init(_ source: ExportSource, headers: [String], _ abilities: ToolAbilities) {
        let chains = source.environments + [source.environment]
        taken = UniqueNames(
            Set(chains.flatMap { $0.variables.map(\.name) + $0.secrets.map(\.name) } + headers), separator: "_")
        taken.insert(Self.base(source))
        self.abilities = abilities
    }

    /// The name of the variable for the start of all URLs.
    static func base(_ source: ExportSource) -> String {
        let own = Set(source.environments.flatMap { $0.variables.map(\.name) + $0.secrets.map(\.name) })
        return ["baseUrl", "serverUrl", "requestBaseUrl"].first { !own.contains($0) } ?? "reqcliBaseUrl"
    }

    mutating func name(of value: OpenValue, in request: OpenRequest) -> String {
        switch value {
        case .variable(let name), .secret(let name): return name
        case .processVariable(let name): return parameter(name, in: request, sample: nil, place: nil)
        case .generated(let generated):
            return parameter(
                String(generated.rawValue.dropFirst()), in: request, sample: nil, isGenerated: true, place: nil)
        case .computed: return parameter(value.name, in: request, sample: nil, place: nil)
        case .parameter(let name):
            return parameter(
                name, in: request, sample: request.sample(value)?.plainText,
                place: request.endpoint.parameters.first { $0.name == name }?.namePlace)
        case .capture(let alias, let name):
            guard let maker = request.needs.first(where: { $0.alias == alias })?.request,
                let capture = maker.endpoint.definition.captures[named: name], abilities.source(of: capture) != nil
            else { return parameter(name, in: request, sample: nil, place: nil) }
            return self.capture(name, of: maker)
        }
    }

    /// The variable for a value that a request captures.
    mutating func capture(_ name: String, of request: OpenRequest) -> String {
        let key = "\(request.key) \(name)"
        if let known = captures[key] { return known }
        let free =
            taken.insert(name) ? name : taken.take(Self.word("\(request.endpoint.id)_\(name)"))
        captures[key] = free
        return free
    }

    private mutating func parameter(
        _ name: String, in request: OpenRequest, sample: String?, isGenerated: Bool = false, place: Place?
    ) -> String {
        let own = Self.word("\(request.endpoint.id)_\(name)")
        for candidate in [name, own] {
            if let known = values[candidate], known == sample { return candidate }
        }
        let chosen = taken.insert(name) ? name : taken.take(own)
        values[chosen] = .some(sample)
        parameters.append(
            Variable(
                name: chosen, sample: sample, isGenerated: isGenerated,
                place: place ?? request.endpoint.definition.place))
        return chosen
    }

    /// Notes about the variables that have no value.
    var notes: [ConversionNote] {
        parameters.filter { $0.sample == nil }.map { variable in
            let message =
                variable.isGenerated
                ? "the tool can't generate the value: give the variable a value" : "a variable needs a value"
            return ConversionNote(.toDo, message, variable.name, at: variable.place)
        }
    }

    /// The name of an environment variable: `API_KEY` for `api-key`.
    static func environment(_ name: String) -> String { word(name).replacing("-", with: "_").uppercased() }

    /// The text with `_` in place of all characters except ASCII letters, digits, `_` and `-`.
    static func word(_ text: String) -> String {
        String(decoding: text.utf8.map { $0.isAlphanumeric || $0 == 0x2D ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }
}
