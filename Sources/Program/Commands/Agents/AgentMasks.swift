import ReqcliBasics
import ReqcliRedaction
import ReqcliText

/// Masks what looks like a secret in a result, also if no file declares it as one.
enum AgentMasks {
    /// - Parameter name: The name that a person reads beside the value: of the member, the header or the part of a request.
    static func masked(_ value: OrderedJSON, named name: String? = nil) -> OrderedJSON {
        switch value {
        case .string(let text): return .string(masked(text, named: name))
        case .number(let number):
            return name.map { LikelySecret.isName($0) } ?? false ? .string("<\(name ?? "")>") : .number(number)
        case .array(let elements): return .array(elements.map { masked($0, named: name) })
        case .object(let members):
            let title = members.lazy.compactMap(label).first
            return .object(
                members.map { member in
                    let isLabelled = title != nil && ["value", "values", "shadowed"].contains(member.name)
                    return .init(member.name, masked(member.value, named: isLabelled ? title : labelled(member, name)))
                })
        case .null, .bool: return value
        }
    }

    /// The header or part that an object describes: `{"name": "Cookie", "value": …}`, `{"part": "header Cookie", "values": …}`.
    private static func label(_ member: OrderedJSON.Member) -> String? {
        guard ["name", "part"].contains(member.name), case .string(let text) = member.value else { return nil }
        return text.split(separator: " ").last.map(String.init)
    }

    private static func labelled(_ member: OrderedJSON.Member, _ outer: String?) -> String {
        member.name == "value" ? outer ?? member.name : member.name
    }

    private static func masked(_ text: String, named name: String?) -> String {
        if let name, !isStandIn(text), LikelySecret.isSecret(name, text) || LikelySecret.isHeader(name) {
            return "<\(name)>"
        }
        if text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "["),
            let inner = OrderedJSON(parsing: text)
        {
            let shown = masked(inner)
            return shown == inner ? text : shown.compact
        }
        if text.contains("PRIVATE KEY-----") { return "<private key>" }
        return SecretScan.masked(text)
    }

    /// Whether a text has only placeholders and masks in place of a secret: `Bearer {{secret.token}}`, `<secret.token>`.
    private static func isStandIn(_ text: String) -> Bool {
        text.split(separator: " ").allSatisfy { word in
            ["Bearer", "Basic", "Token"].contains(word)
                || word.hasPrefix("{{") && word.firstRange(of: "}}")?.upperBound == word.endIndex
                || word.hasPrefix("<") && word.firstIndex(of: ">") == word.indices.last
        }
    }
}
