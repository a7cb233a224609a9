import ReqcliText

extension WorkspaceReading {
    /// Everything that a file defines and names, in no particular order.
    ///
    /// - Parameter file: The file as messages show it; nil for all files.
    package func occurrences(in file: String? = nil) -> [Occurrence] {
        let run = file.map { DefinitionIndex.Run(files: [$0], assembled: [], environment: "") }
        var walk = OccurrenceWalk(DefinitionIndex(self, of: run))
        walk.visitAll()
        return file.map { file in walk.found.filter { $0.place.file.name == file } } ?? walk.found
    }

    /// The definitions of a symbol in all files.
    package func definitions(of symbol: Symbol) -> [Occurrence] {
        occurrences().filter { $0.isDefinition && $0.symbol == symbol }
    }
}

/// Resolves the mentions of the walk over definitions to what they name.
private struct OccurrenceWalk {
    private let index: DefinitionIndex
    private(set) var found: [Occurrence] = []

    init(_ index: DefinitionIndex) { self.index = index }

    mutating func visitAll() {
        if let chosen = index.settings.environment { add(.environment(chosen.value), chosen.place) }
        for environment in index.environments { visit(environment) }
        for file in index.files { visit(file) }
        for scenario in index.scenarios { visit(scenario) }
        for load in index.loads {
            mentions(load.definition) { walk, mention in walk.add(mention, owner: "", steps: nil, needs: []) }
        }
    }

    // MARK: Files

    private mutating func visit(_ environment: EnvironmentDefinition) {
        add(.environment(environment.name), environment.place, isDefinition: true, isName: false)
        for variable in environment.variables { define(.variable(variable.name), variable.namePlace) }
        for secret in environment.secrets { define(.secret(secret.name), secret.namePlace) }
        for need in environment.needs { define(.alias(need.name, of: ""), need.namePlace) }
        mentions(environment) { walk, mention in walk.add(mention, owner: nil, steps: nil, needs: []) }
    }

    private mutating func visit(_ file: EndpointFile) {
        if let defaults = file.defaults {
            let owner = Symbol.owner(ofGroup: file.id)
            for parameter in defaults.parameters { define(.parameter(parameter.name, of: owner), parameter.namePlace) }
            for need in defaults.needs { define(.alias(need.name, of: owner), need.namePlace) }
            let names = Set(defaults.parameters.map(\.name))
            mentions(defaults) { walk, mention in
                walk.add(mention, owner: owner, steps: nil, needs: defaults.needs, groupNames: names)
            }
        }
        for endpoint in file.located {
            let (id, definition) = (endpoint.id, endpoint.definition)
            add(.endpoint(id), definition.place, isDefinition: true, isName: false)
            for parameter in definition.parameters { define(.parameter(parameter.name, of: id), parameter.namePlace) }
            for need in definition.needs { define(.alias(need.name, of: id), need.namePlace) }
            for capture in definition.captures { define(.capture(capture.name, of: id), capture.namePlace) }
            for variant in definition.stubs?.variants ?? [] {
                define(.variant(variant.name, of: id), variant.namePlace)
            }
            mentions(definition) { walk, mention in
                walk.add(mention, owner: id, steps: nil, needs: endpoint.needs, endpoint: endpoint)
            }
        }
    }

    private mutating func visit(_ scenario: LocatedScenario) {
        let id = scenario.id
        for parameter in scenario.definition.parameters {
            define(.parameter(parameter.name, of: id), parameter.namePlace)
        }
        var steps: [String: ScenarioStep] = [:]
        for step in scenario.definition.all {
            if let name = step.name {
                define(.step(name.value, of: id), name.place)
                steps[name.value] = steps[name.value] ?? step
            }
            for need in step.needs { add(.step(need.value.value, of: id), need.value.place) }
            let owner = Symbol.owner(ofStep: step.label, in: id)
            for capture in step.captures { define(.capture(capture.name, of: owner), capture.namePlace) }
        }
        mentions(scenario.definition) { walk, mention in
            walk.add(mention, owner: id, steps: steps, needs: [], endpoint: scenario.scope)
        }
    }

    // MARK: Mentions

    private mutating func mentions(
        _ definition: some Walkable, _ take: (inout OccurrenceWalk, Mention) -> Void
    ) {
        var all: [Mention] = []
        definition.walk { all.append($0) }
        for mention in all { take(&self, mention) }
    }

    private mutating func add(
        _ mention: Mention, owner: String?, steps: [String: ScenarioStep]?, needs: [Named<Need>],
        groupNames: Set<String> = [], endpoint: LocatedEndpoint? = nil
    ) {
        switch mention {
        case .environment(let name): add(.environment(name.value), name.place)
        case .endpoint(let id): add(.endpoint(id.value), id.place)
        case .variant(let name, let id):
            if let id = id ?? owner, id != "*" { add(.variant(name.value, of: id), name.place) }
        case .parameter(let name, let id):
            guard let id = id ?? owner else { return }
            if case .found(let target) = index.endpoint(id), let symbol = parameter(name.value, of: target) {
                add(symbol, name.place)
            }
        case .stubFile(let path): add(.file("stubs/\(path.value)"), path.place, isName: false)
        case .file(let path):
            if let text = path.literal { add(.file(text), path.place, isName: false) }
        case .placeholder(let placeholder):
            let range = nameRange(of: placeholder.place)
            switch placeholder.value {
            case .generated, .processVariable, .computed: break
            case .secret(let name): add(.secret(name), last(name, of: range))
            case .name(let name):
                if groupNames.contains(name), let owner {
                    add(.parameter(name, of: owner), range)
                } else if let endpoint, let symbol = parameter(name, of: endpoint) {
                    add(symbol, range)
                } else {
                    add(.variable(name), range)
                }
            case .capture(let alias, let name):
                add(alias: alias, capture: name, range, owner: owner ?? "", steps, needs)
            }
        case .path, .pattern, .schema, .description: break
        }
    }

    private mutating func add(
        alias: String, capture name: String, _ place: Place, owner: String, _ steps: [String: ScenarioStep]?,
        _ needs: [Named<Need>]
    ) {
        let start = place.range.lowerBound
        let aliasPlace = Place(place.file, start..<min(start + alias.utf8.count, place.range.upperBound))
        let namePlace = last(name, of: place)
        if let steps {
            guard let step = steps[alias] else { return }
            add(.step(alias, of: owner), aliasPlace)
            if step.captures.contains(where: { $0.name == name }) {
                add(.capture(name, of: Symbol.owner(ofStep: step.label, in: owner)), namePlace)
            } else if let id = step.endpoint?.value {
                add(.capture(name, of: id), namePlace)
            }
            return
        }
        let shared = index.chains.lazy.flatMap(\.needs).first { $0.name == alias }
        guard let need = needs.first(where: { $0.name == alias }) ?? shared else { return }
        let owners = [owner, endpointGroup(owner), ""]
        let definer = owners.first { one in ownsAlias(alias, one) } ?? ""
        add(.alias(alias, of: definer), aliasPlace)
        if let id = need.value.endpoint?.value { add(.capture(name, of: id), namePlace) }
    }

    private func endpointGroup(_ id: String) -> String {
        guard case .found(let endpoint) = index.endpoint(id), let group = endpoint.group else { return "" }
        return Symbol.owner(ofGroup: group)
    }

    private func ownsAlias(_ alias: String, _ owner: String) -> Bool {
        if case .found(let endpoint) = index.endpoint(owner) {
            return endpoint.definition.needs.contains { $0.name == alias }
        }
        return index.files.contains { file in
            Symbol.owner(ofGroup: file.id) == owner && file.defaults?.needs.contains { $0.name == alias } == true
        }
    }

    /// The param of an endpoint or of its group.
    private func parameter(_ name: String, of endpoint: LocatedEndpoint) -> Symbol? {
        if endpoint.definition.parameters.contains(where: { $0.name == name }) {
            return .parameter(name, of: endpoint.id)
        }
        guard let group = endpoint.group, endpoint.parameters.contains(where: { $0.name == name }) else { return nil }
        return .parameter(name, of: Symbol.owner(ofGroup: group))
    }

    // MARK: Places

    private mutating func define(_ symbol: Symbol, _ place: Place) { add(symbol, place, isDefinition: true) }

    private mutating func add(_ symbol: Symbol, _ place: Place, isDefinition: Bool = false, isName: Bool = true) {
        found.append(
            Occurrence(
                symbol: symbol, place: isName ? unquoted(place) : place, isDefinition: isDefinition, isName: isName))
    }

    private func unquoted(_ place: Place) -> Place {
        Place(place.file, JSONValue.innerRange(of: place.range, in: place.file.bytes))
    }

    /// The range between the braces of a placeholder, without spaces. The places of names in functions have no braces.
    private func nameRange(of place: Place) -> Place {
        var range = place.range
        let bytes = place.file.bytes
        if bytes[range].starts(with: [0x7B, 0x7B]), range.count >= 4 {
            range = range.lowerBound + 2..<range.upperBound - 2
        }
        while let first = bytes[range].first, first == 0x20 { range = range.lowerBound + 1..<range.upperBound }
        while let last = bytes[range].last, last == 0x20 { range = range.lowerBound..<range.upperBound - 1 }
        return Place(place.file, range)
    }

    private func last(_ name: String, of place: Place) -> Place {
        Place(
            place.file, max(place.range.lowerBound, place.range.upperBound - name.utf8.count)..<place.range.upperBound)
    }
}
