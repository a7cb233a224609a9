import ReqcliRedaction
import ReqcliText

/// Finds credentials of the workspace in endpoints and in the defaults of groups.
struct CredentialSearch {
    /// Variables of the workspace with secrets in their values.
    let secretVariables: Set<String>

    /// Parts of an endpoint that aren't sent.
    private static let unsent: Set = ["description", "capture", "expect", "stubs", "tags"]

    /// Whether a value contains a secret, a captured value, a process variable, or a variable with one of these.
    func isSecret(_ value: OrderedJSON) -> Bool {
        switch value {
        case .string(let text):
            // A name with a dot stands for a secret, a captured value, or a process variable.
            TemplateText(text).placeholders.contains { $0.contains(".") || secretVariables.contains($0) }
        case .array(let elements): elements.contains(where: isSecret)
        case .object(let members): members.contains { isSecret($0.value) }
        case .null, .bool, .number: false
        }
    }

    /// Whether a part of an endpoint is sent and contains a credential.
    func isCredential(_ path: ImportUnits.Path, _ value: OrderedJSON) -> Bool {
        guard let key = path.first, let name = path.last, !Self.unsent.contains(key), value != .null else {
            return false
        }
        if key == "query", case .string(let text) = value, path.count == 1, LikelySecret.isIn(query: text) {
            return true
        }
        return key == "auth" || key == "headers" && LikelySecret.isHeader(name) || isSecret(value)
            || LikelySecret.isIn(.object([OrderedJSON.Member(name, value)]))
    }
}
