import ReqcliRedaction
import ReqcliText

/// Tells which strings of a source are credentials, by their places and names.
extension SecretPass {
    /// The name for the secret, if the place or the name of a string shows that the string is secret; else nil.
    ///
    /// - Parameter isExported: Whether `export` has written the source. If so, the name of a user isn't a secret.
    static func secretName(_ role: TextRole, _ text: String, isExported: Bool) -> String? {
        switch role {
        case .credential("user") where isExported: nil
        case .credential(let name): name
        case .named(let name): LikelySecret.isHeader(name) || LikelySecret.isSecret(name, text) ? name : nil
        case .path, .file, .certificate, .other: nil
        }
    }

    /// The names of variables that are used as credentials, directly or through other variables.
    static func credentials(of api: ImportedAPI) -> Set<String> {
        var found: Set<String> = []
        for request in api.requests {
            request.visitTexts { role, text in
                if secretName(role, text, isExported: api.isExported) != nil { found.formUnion(text.placeholders) }
            }
        }
        var inner: [String: Set<String>] = [:]
        for variable in api.environments.flatMap(\.variables) {
            if case .string(let text) = variable.value {
                inner[variable.name, default: []].formUnion(text.placeholders)
            }
        }
        var open = Array(found)
        while let next = open.popLast() {
            for name in inner[next] ?? [] where found.insert(name).inserted { open.append(name) }
        }
        return found
    }
}
