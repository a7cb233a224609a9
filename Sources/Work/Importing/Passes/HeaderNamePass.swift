import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// Replaces variables in the names of headers and API keys, since an endpoint file takes no placeholder there.
struct HeaderNamePass {
    func apply(to api: inout ImportedAPI, _ notes: inout [ConversionNote]) {
        let variables = api.environments.map { environment in
            // A name is written to a file, so a value that may be a secret can't be a part of it.
            let known = environment.variables.compactMap { variable -> (String, String)? in
                guard let text = variable.value.scalarText, !LikelySecret.isSecret(variable.name, text),
                    !LikelySecret.isIn(text), !LikelySecret.mayBeName(variable.name)
                else { return nil }
                return (variable.name, text)
            }
            return Dictionary(known, uniquingKeysWith: { $1 })
        }
        /// The name with the values of its variables. Nil if a value is unknown or differs between the environments.
        func resolved(_ name: String) -> String? {
            guard name.contains("{{") else { return name }
            // Readers escape the braces of a name, because no placeholder is replaced there.
            let whole = TemplateText(name.replacing("\\{{", with: "{{")).inlining { name in
                let values = Set(variables.map { $0[name] })
                return values.count == 1 ? (values.first ?? nil).map { TemplateText($0) } : nil
            }
            return whole.literal.flatMap { $0.isToken ? $0 : nil }
        }
        for index in api.requests.indices {
            let place = api.requests[index].place
            api.requests[index].headers = api.requests[index].headers.compactMap { header in
                if let name = resolved(header.name) { return OrderedJSON.Member(name, header.value) }
                notes.append(
                    ConversionNote(
                        .lost, "a header is left out, because its name is a variable whose value is unknown or secret",
                        header.name.replacing("\\{{", with: "{{"),
                        at: place))
                return nil
            }
            guard case .apiKey(let keyPlace, let name, let value) = api.requests[index].auth, name.contains("{{")
            else { continue }
            if let name = resolved(name) {
                api.requests[index].auth = .apiKey(keyPlace, name: name, value: value)
            } else {
                api.requests[index].auth = .none
                notes.append(
                    ConversionNote(
                        .lost,
                        "an API key is left out, because its name is a variable whose value is unknown or secret", name,
                        at: place
                    ))
            }
        }
    }
}
