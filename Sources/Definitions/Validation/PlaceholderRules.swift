import NearNames
import SourceText

/// Every placeholder names something that there is.
enum PlaceholderRules {
    static func check(_ census: Census) -> [Diagnostic] {
        var problems: [Diagnostic] = []
        for environment in census.environments {
            let scope = Scope(parameters: [], census: census, aliases: [:])
            problems += environment.texts.flatMap { scope.problems(in: $0) }
        }
        for file in census.files {
            for endpoint in file.located {
                let scope = Scope(endpoint, census)
                let layers = [endpoint.definition.request] + endpoint.definition.environments.map(\.value)
                let own = layers.flatMap(\.texts) + caseTexts(endpoint.definition)
                problems += own.flatMap { scope.problems(in: $0) }
                // What the group says has to hold for each of its endpoints; the same problem is told once.
                problems += (endpoint.defaults?.texts ?? []).flatMap { scope.problems(in: $0) }
                problems += unused(endpoint, own)
            }
        }
        return problems
    }

    /// What the cases of an endpoint say: values for params, and expectations.
    private static func caseTexts(_ endpoint: EndpointDefinition) -> [TextTemplate] {
        endpoint.checks.flatMap { check in
            check.parameters.flatMap(\.value.texts) + (check.expectation?.texts ?? [])
        } + endpoint.needs.flatMap { $0.value.parameters.flatMap(\.value.texts) }
    }

    private static func unused(_ endpoint: LocatedEndpoint, _ own: [TextTemplate]) -> [Diagnostic] {
        let groupNeeds = (endpoint.defaults?.needs ?? []).flatMap { $0.value.parameters.flatMap(\.value.texts) }
        let used = (own + (endpoint.defaults?.texts ?? []) + groupNeeds).flatMap(\.placeholders).map(\.value)
        return endpoint.definition.parameters.filter { !used.contains(.name($0.name)) }.map { parameter in
            Diagnostic(
                .warning, code: .parameterUnused, "nothing uses the param \"\(parameter.name)\"",
                at: parameter.namePlace,
                hint: "use it as {{\(parameter.name)}}, or take it out")
        }
    }
}

/// What placeholders can name in one place.
private struct Scope {
    let parameters: [String]
    let census: Census
    /// The captures behind each alias of `needs`; nil where the endpoint isn't known.
    let aliases: [String: [String]?]

    init(parameters: [String], census: Census, aliases: [String: [String]?]) {
        self.parameters = parameters
        self.census = census
        self.aliases = aliases
    }

    init(_ endpoint: LocatedEndpoint, _ census: Census) {
        let captures = endpoint.needs.map { need in
            (
                need.name,
                need.value.endpoint.flatMap { census.endpoint($0.value) }.map { $0.definition.captures.map(\.name) }
            )
        }
        self.init(
            parameters: endpoint.parameters.map(\.name), census: census,
            aliases: Dictionary(captures, uniquingKeysWith: { first, _ in first }))
    }

    func problems(in template: TextTemplate) -> [Diagnostic] {
        template.placeholders.compactMap { placeholder -> Diagnostic? in
            switch placeholder.value {
            case .generated, .processVariable: nil
            case .name(let name): unknownName(name, placeholder.place)
            case .secret(let name):
                census.secrets.contains(name)
                    ? nil
                    : Diagnostic(
                        code: .secretUnknown, "no environment has a secret \"\(name)\"", at: placeholder.place,
                        hint: NearNames.question(for: name, among: census.secrets.sorted())
                            ?? "say in \"secrets\" where it is to be had")
            case .capture(let alias, let name): unknownCapture(alias, name, placeholder.place)
            }
        }
    }

    private func unknownName(_ name: String, _ place: Place) -> Diagnostic? {
        if parameters.contains(name) || census.variables.contains(name) { return nil }
        return Diagnostic(
            code: .valueUnresolved, "\"{{\(name)}}\" is neither a param nor a variable of any environment", at: place,
            hint: NearNames.question(for: name, among: parameters + census.variables.sorted())
                ?? "declare it in \"params\", or in an environment's \"variables\"")
    }

    private func unknownCapture(_ alias: String, _ name: String, _ place: Place) -> Diagnostic? {
        guard let captures = aliases[alias] else {
            return Diagnostic(
                code: .captureUnknown, "\"\(alias)\" is not an alias in \"needs\"", at: place,
                hint: NearNames.question(for: alias, among: aliases.keys.sorted() + ["secret"])
                    ?? "add \"needs\": {\"\(alias)\": \"the.endpoint\"}")
        }
        guard let captures, !captures.contains(name) else { return nil }
        return Diagnostic(
            code: .captureUnknown, "the endpoint behind \"\(alias)\" captures no \"\(name)\"", at: place,
            hint: NearNames.question(for: name, among: captures) ?? "add it to that endpoint's \"capture\"")
    }
}
