import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Makes each server a complete URL.
///
/// Tools differ in what a variable of a server may hold: a URL, a host without a scheme, a host with a path, or nothing at all.
/// An endpoint file takes a URL, or a URL whose host is a variable without a path.
struct ServerPass {
    /// The stand-in for a server that the source doesn't define.
    static let standIn = "http://localhost:8080"

    /// Variables of the environment that a name may refer to. They have their values already.
    let variables: Set<String>
    /// Variables of the environment that a name must not refer to.
    let refused: Set<String>

    func apply(to api: inout ImportedAPI, _ notes: inout [ConversionNote]) {
        defineUnknown(in: &api, &notes)
        let servers = api.requests.compactMap(\.base) + api.environments.compactMap(\.baseURL)
        let queries = api.requests.map { if case .text(let text) = $0.query { text } else { "" } }
        guard (servers + api.requests.map(\.path) + queries).contains(where: { $0.contains("{{") }) else { return }
        let uses = VariableUses(api)
        var values = api.environments.map(\.texts)
        for index in api.environments.indices {
            guard let base = api.environments[index].baseURL.map({ TemplateText($0) }) else { continue }
            let whole = base.completed(values[index])
            if whole == base { continue }
            api.environments[index].baseURL = whole.text
            api.removeVariables(of: base, replacedBy: whole, uses)
        }
        var changed: [String: ImportedServer] = [:]
        for index in api.requests.indices {
            guard let base = api.requests[index].base, base.contains("{{") else { continue }
            if api.requests[index].hasParam(inServer: base) {
                let isHidden = values.contains { values in
                    TemplateText(base).placeholders.contains { values[$0] != nil }
                }
                if let whole = api.requests[index].completedServer(base, hidingVariable: isHidden) {
                    api.requests[index].setServer(whole)
                }
                continue
            }
            if changed[base] == nil { changed[base] = server(base, in: &api, &values, uses) }
            switch changed[base] {
            case .url(let text): api.requests[index].setServer(text)
            case .variable(let name): api.requests[index].base = "{{\(name)}}"
            case .unchanged, nil: break
            }
            if api.requests[index].path.isEmpty, let base = api.requests[index].base, Self.isHost(base, values) {
                api.requests[index].path = "/"
            }
        }
        inlinePaths(of: &api, values, &notes)
        inlineQueries(of: &api, values)
    }

    /// Replaces variables in paths whose values have a slash. In an endpoint file, a value in a path is one segment.
    private func inlinePaths(
        of api: inout ImportedAPI, _ values: [[String: TemplateText]], _ notes: inout [ConversionNote]
    ) {
        let split = values.reduce(into: Set<String>()) { names, values in
            names.formUnion(values.filter { $0.value.literalText.contains("/") }.keys)
        }
        if split.isEmpty { return }
        for index in api.requests.indices where api.requests[index].path.contains("{{") {
            let path = TemplateText(api.requests[index].path)
            let params = Set(api.requests[index].params.map(\.name))
            for name in path.placeholders where split.contains(name) && !params.contains(name) {
                let count = path.placeholders.count { $0 == name }
                guard let value = values.first?[name], values.allSatisfy({ $0[name] == value }),
                    value.text.utf8.count * count <= Self.longestPath
                else {
                    notes.append(
                        ConversionNote(
                            .toDo, "the slash in a variable is sent as %2F, since a value in a path is one segment",
                            name,
                            at: api.requests[index].place))
                    continue
                }
                let text = value.mappingLiterals(PercentEncoding.path)
                api.requests[index].path =
                    TemplateText(api.requests[index].path).inlining { $0 == name ? text : nil }.text
            }
        }
    }

    /// The number of bytes that the values of a variable may add to a path.
    private static let longestPath = 4096

    /// Replaces a variable that is a whole query, such as `?{{filter}}` with the value `a=1&b=2`.
    private func inlineQueries(of api: inout ImportedAPI, _ values: [[String: TemplateText]]) {
        for index in api.requests.indices {
            guard case .text(let text) = api.requests[index].query, text.hasPrefix("{{"), text.utf8.count < 256,
                TemplateText(text).isOnePlaceholder, let name = TemplateText(text).placeholders.first,
                let value = values.first?[name], value.literalText.contains("="),
                value.text.utf8.count < Self.longestPath,
                values.allSatisfy({ $0[name] == value }),
                !api.requests[index].params.contains(where: { $0.name == name })
            else { continue }
            api.requests[index].query = ImportedQuery(value, isExact: false)
        }
    }

    /// Whether a server is a URL without a path, whatever its variables are.
    private static func isHost(_ base: String, _ values: [[String: TemplateText]]) -> Bool {
        let template = TemplateText(base)
        return (values.isEmpty ? [[:]] : values).allSatisfy { values in
            let url = template.resolved(values)
            return url.isURL && ["", "/"].contains(URLText(url).path.text)
        }
    }

    /// What stands in place of a server of requests.
    private enum ImportedServer {
        case unchanged
        case url(TemplateText)
        /// A variable of the environments that holds the URL.
        case variable(String)
    }

    private func server(
        _ base: String, in api: inout ImportedAPI, _ values: inout [[String: TemplateText]], _ uses: VariableUses
    ) -> ImportedServer {
        let template = TemplateText(base)
        if template.placeholders.contains(where: { variables.contains($0) || $0.contains(".") || $0.hasPrefix("$") }) {
            return .unchanged
        }
        let urls = values.map { template.completed($0) }
        if urls.allSatisfy({ $0 == template }) { return .unchanged }
        // A URL with a query is no base of requests.
        let hasQuery = urls.contains { $0.literalText.contains("?") }
        let isOwn = !hasQuery && template.isOnePlaceholder && !uses.contains(template.placeholders[0], outside: base)
        if !isOwn, let first = urls.first, urls.allSatisfy({ $0 == first }) {
            api.removeVariables(of: template, replacedBy: first, uses)
            return .url(first)
        }
        var name = template.placeholders.first ?? "base"
        if !isOwn {
            var free = UniqueNames(values.reduce(into: variables.union(refused)) { $0.formUnion($1.keys) })
            name = free.take(name + "Url")
        }
        for (index, url) in urls.enumerated() where !isOwn || url != template {
            api.environments[index].set(name, url)
            values[index][name] = url
        }
        return .variable(name)
    }

    // MARK: Unknown servers

    /// Gives variables of servers a stand-in if the source has no value for them.
    private func defineUnknown(in api: inout ImportedAPI, _ notes: inout [ConversionNote]) {
        var known = variables.union(api.requests.flatMap { $0.captures.map(\.name) })
        known.formUnion(api.environments.flatMap { $0.secrets.map(\.name) })
        var order: [(name: String, place: Place)] = []
        var standIns: [String: String] = [:]
        for request in api.requests {
            guard let base = request.base, base.contains("{{") else { continue }
            for (name, value) in TemplateText(base).standIns where !known.contains(name) {
                if request.params.contains(where: { $0.name == name }) { continue }
                if standIns[name] == nil { order.append((name, request.place)) }
                // Without its port, a host can also be used where a port follows.
                standIns[name] = [standIns[name], value].compactMap(\.self).min { $0.utf8.count < $1.utf8.count }
            }
        }
        if !order.isEmpty, api.environments.isEmpty { api.environments = [ImportedEnvironment()] }
        for (name, place) in order {
            guard let value = standIns[name] else { continue }
            let missing = api.environments.indices.filter {
                !api.environments[$0].hasValue(name, orBlank: value.isEmpty)
            }
            if missing.isEmpty { continue }
            for index in missing { api.environments[index].set(name, TemplateText(literal: value)) }
            notes.append(
                ConversionNote(
                    .toDo, "the source doesn't say where a server is: change the stand-in in the environment",
                    "\(name): \(value.isEmpty ? "\"\"" : value)", at: place))
        }
    }
}

extension ImportedEnvironment {
    /// - Parameter isBlankValid: Whether a blank text is a value.
    fileprivate func hasValue(_ name: String, orBlank isBlankValid: Bool) -> Bool {
        secrets.contains { $0.name == name }
            || variables.contains { $0.name == name && (isBlankValid || $0.value != "") }
    }

    /// The values of the variables that are text.
    fileprivate var texts: [String: TemplateText] {
        Dictionary(
            variables.compactMap { variable in variable.value.templateText.map { (variable.name, $0) } },
            uniquingKeysWith: { $1 })
    }

    fileprivate mutating func set(_ name: String, _ text: TemplateText) {
        let member = OrderedJSON.Member(name, .string(text.text))
        if let index = variables.firstIndex(where: { $0.name == name }) {
            variables[index] = member
        } else {
            variables.append(member)
        }
    }
}

extension OrderedJSON {
    fileprivate var templateText: TemplateText? {
        switch self {
        case .string(let text): TemplateText(text)
        case .number(let digits): TemplateText(literal: digits)
        default: nil
        }
    }
}

extension ImportedRequest {
    /// Whether a param of the request is in a server. It has precedence over a variable of the environment with the same name.
    fileprivate func hasParam(inServer server: String) -> Bool {
        let names = Set(TemplateText(server).placeholders)
        return params.contains { names.contains($0.name) }
    }

    /// The server with the default values of params; nil if it can stay as it is.
    ///
    /// - Parameter hidesVariable: Whether an environment has a variable with the name of a param. The server of an environment could
    ///   only mean this variable.
    fileprivate func completedServer(_ server: String, hidingVariable hidesVariable: Bool) -> TemplateText? {
        let template = TemplateText(server)
        // A value may be long and in many requests, so it is only taken apart if it must be.
        if template.isOnePlaceholder, let name = template.placeholders.first,
            case .string(let text)? = params.first(where: { $0.name == name })?.defaultValue, text.hasPrefix("http"),
            !text.utf8.contains(where: { $0 == .openBrace || $0 == UInt8(ascii: "?") })
        {
            return hidesVariable ? TemplateText(literal: text) : nil
        }
        let whole = template.completed(defaultTexts)
        return whole == template ? nil : whole
    }

    /// The default values of the params that are text.
    fileprivate var defaultTexts: [String: TemplateText] {
        Dictionary(
            params.compactMap { param in param.defaultValue?.templateText.map { (param.name, $0) } },
            uniquingKeysWith: { $1 })
    }

    /// Sets the server of the request to a URL. A path in the URL comes before the path of the request.
    fileprivate mutating func setServer(_ text: TemplateText) {
        let url = URLText(text)
        base = url.base?.text
        if let text = url.query {
            switch (ImportedQuery(text, isExact: false), query) {
            case (.items(let before), .items(let after)):
                query = .items(before.filter { item in !after.contains { $0.name == item.name } } + after)
            case (.items(let before), .text(let after)):
                query = .text([before.isEmpty ? nil : text.text, after].compactMap(\.self).joined(separator: "&"))
            case (.text(let before), _): query = .text(before)
            }
        }
        let start = url.path.text
        if path.isEmpty {
            path = start
        } else if start != "/" {
            path = (start.hasSuffix("/") ? String(start.dropLast()) : start) + path
        }
    }
}

extension ImportedAPI {
    /// Removes variables that only this server used.
    fileprivate mutating func removeVariables(
        of server: TemplateText, replacedBy text: TemplateText, _ uses: VariableUses
    ) {
        let gone = Set(server.placeholders).subtracting(text.placeholders).filter {
            !uses.contains($0, outside: server.text)
        }
        for index in environments.indices { environments[index].variables.removeAll { gone.contains($0.name) } }
    }
}

/// Where a source uses variables.
private struct VariableUses {
    /// The variables that something else than a server of requests uses.
    private var others: Set<String> = []
    /// The servers of requests that use a variable.
    private var servers: [String: Set<String>] = [:]

    init(_ api: ImportedAPI) {
        for var request in api.requests {
            if let base = request.base {
                for name in TemplateText(base).placeholders { servers[name, default: []].insert(base) }
                request.base = nil
            }
            others.formUnion(request.placeholders)
        }
        for environment in api.environments {
            for case .string(let text) in environment.variables.map(\.value) { others.formUnion(text.placeholders) }
        }
    }

    /// Whether something uses a variable.
    ///
    /// - Parameter server: A server of requests that doesn't count.
    func contains(_ name: String, outside server: String? = nil) -> Bool {
        others.contains(name) || servers[name, default: []].contains { $0 != server }
    }
}
