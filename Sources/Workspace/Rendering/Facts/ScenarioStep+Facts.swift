package import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

extension ScenarioStep {
    /// Phrases about what the step adds to its endpoint.
    package var details: [String] {
        var parts: [String] = []
        if !parameters.isEmpty { parts.append(parameters.map(\.given).joined(separator: " ")) }
        parts += circumstances
        if !captures.isEmpty { parts.append("captures \(captures.map(\.name).joined(separator: ", "))") }
        if !needs.isEmpty {
            parts.append("needs \(needs.map { "\($0.name)=\($0.value.value)" }.joined(separator: " "))")
        }
        return parts
    }

    /// Phrases about when and how often the endpoint is called; none for a single call.
    package var circumstances: [String] {
        var parts: [String] = []
        if let loop {
            let list =
                switch loop.list {
                case .values(let values): values.source.plainText
                case .file(let path): path.value
                }
            parts.append("for each \(loop.item) of \(list)")
        }
        if !conditions.isEmpty {
            parts.append("if \(conditions.compactMap { $0.value?.source.plainText }.joined(separator: ", "))")
        }
        if let poll { parts.append("polls within \(poll.within.text)") }
        return parts
    }
}

extension Named<ValueTemplate> {
    /// The param and the value that a call gives. A value that is likely to be a secret is not shown.
    package var given: String {
        let text = value.source.plainText
        let isSecret = LikelySecret.isSecret(name, text) && !text.contains("{{")
        return "\(name)=\(isSecret ? "<not shown>" : text)"
    }
}
