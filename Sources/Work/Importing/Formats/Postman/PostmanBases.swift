import ReqcliDefinitions
import ReqcliText

/// Makes base URLs from variables at the beginning of URLs.
struct PostmanBases {
    /// The variables with their values.
    let variables: [String: String]

    func apply(to api: inout ImportedAPI, _ source: inout PostmanVariables, _ notes: inout [ConversionNote]) {
        var unknown: [(name: String, place: Place)] = []
        var unknownNames: Set<String> = []
        var withoutScheme: Set<String> = []
        for index in api.requests.indices {
            guard let base = api.requests[index].base else { continue }
            let template = TemplateText(base)
            guard case .placeholder(let name)? = template.pieces.first else { continue }
            let value = variables[name].map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? ""
            let rest = TemplateText(Array(template.pieces.dropFirst()))
            if rest.isEmpty {
                if value.isEmpty {
                    if unknownNames.insert(name).inserted { unknown.append((name, api.requests[index].place)) }
                } else if !value.contains("://"), !value.hasPrefix("{{") {
                    withoutScheme.insert(name)
                }
            } else if value.contains("://") {
                // In a longer address, the variable is only the beginning of the address. So the variable is replaced by the
                // value.
                api.requests[index].split(base: value + rest.text)
            } else {
                api.requests[index].base = "http://" + base
            }
        }
        addScheme(to: withoutScheme, api: &api, &source)
        for (name, place) in unknown where source.set(name, "http://localhost:8080") {
            notes.append(ConversionNote(.toDo, "the source has no value for the server's address", name, at: place))
        }
    }

    /// Adds `http://` to hosts without a scheme, as Postman does when it sends a request.
    private func addScheme(to names: Set<String>, api: inout ImportedAPI, _ source: inout PostmanVariables) {
        if names.isEmpty { return }
        var usedElsewhere: Set<String> = []
        for request in api.requests {
            var request = request
            if TemplateText(request.base ?? "").pieces.count == 1 { request.base = nil }
            usedElsewhere.formUnion(request.texts.flatMap { TemplateText($0).placeholders })
        }
        for name in names where !usedElsewhere.contains(name) {
            source.change(name) { $0.contains("://") ? $0 : "http://" + $0 }
        }
        for index in api.requests.indices {
            guard case .placeholder(let name)? = TemplateText(api.requests[index].base ?? "").pieces.first,
                names.contains(name), usedElsewhere.contains(name)
            else { continue }
            api.requests[index].base = "http://{{\(name)}}"
        }
    }
}

extension ImportedRequest {
    /// Sets the base to an address. A path in the address is moved to the path of the request.
    fileprivate mutating func split(base text: String) {
        let url = URLText(TemplateText(text))
        let start = url.path.text
        base = url.base?.text
        path = (start.hasSuffix("/") ? String(start.dropLast()) : start) + path
    }
}
