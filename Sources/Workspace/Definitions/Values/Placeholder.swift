import ReqcliBasics
import ReqcliFunctions
import ReqcliText

/// The content of a placeholder, between `{{` and `}}`.
package enum Placeholder: Sendable, Hashable {
    /// A param or, if there is no param with this name, a variable of the environment.
    case name(String)
    /// A secret: `secret.apiToken`.
    case secret(String)
    /// A value captured by an endpoint in `needs`: `login.token`.
    case capture(alias: String, name: String)
    case generated(Generated)
    /// An environment variable of the process: `$env.NAME`.
    case processVariable(String)
    /// A value that functions make: `name | upper`.
    case computed(ComputedPlaceholder)

    /// A value that is generated for each request.
    package enum Generated: String, CaseIterable, Sendable {
        case uuid = "$uuid"
        case timestamp = "$timestamp"
        case isoTimestamp = "$isoTimestamp"
        case randomInt = "$randomInt"
    }

    /// The placeholder for the position of the current element, from 0, in a scenario step with `forEach`. It is treated like a
    /// param of the step.
    package static let index = "$index"

    /// The placeholder as it is written between the braces.
    package var text: String {
        switch self {
        case .name(let name): name
        case .secret(let name): "secret.\(name)"
        case .capture(let alias, let name): "\(alias).\(name)"
        case .generated(let generated): generated.rawValue
        case .processVariable(let name): "$env.\(name)"
        case .computed(let computed): computed.text
        }
    }

    /// The advice for a literal `{{`, as typed in a JSON string, where a backslash is doubled.
    static let literalAdvice = #"write \\{{ for a literal {{"#

    /// Parses the text between the braces.
    static func parse(_ text: String) throws(Complaint) -> Placeholder {
        if text.hasPrefix("$") { return try parseBuiltIn(text) }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        guard parts.count <= 2, parts.allSatisfy(Name.isValid) else {
            throw Complaint(
                .placeholderInvalid,
                text.isEmpty ? "this placeholder is empty" : "\"{{\(text.shortened)}}\" is not a placeholder",
                hint: "write {{name}}, {{secret.name}}, {{alias.capture}} or {{$uuid}}; or \(literalAdvice)")
        }
        if parts.count == 1 { return .name(parts[0]) }
        return parts[0] == "secret" ? .secret(parts[1]) : .capture(alias: parts[0], name: parts[1])
    }

    private static func parseBuiltIn(_ text: String) throws(Complaint) -> Placeholder {
        if let generated = Generated(rawValue: text) { return .generated(generated) }
        if text == index || RequestWord.isOne(text) { return .name(text) }
        if text.hasPrefix("$env.") {
            let name = String(text.dropFirst(5))
            if name.isVariableName { return .processVariable(name) }
            throw Complaint(
                .placeholderInvalid, "\"\(name.shortened)\" can't be the name of an environment variable",
                hint: "write {{$env.NAME}}")
        }
        let known = Generated.allCases.map(\.rawValue) + ["$env.NAME"]
        throw Complaint(
            .placeholderInvalid, "unknown placeholder \"{{\(text.shortened)}}\"",
            hint: NearNames.question(for: text, among: known + RequestWord.all)
                ?? "available: \(known.joined(separator: ", "))")
    }
}

/// The valid names of environment variables.
enum ProcessVariableName {
    static let pattern = "^[A-Za-z_][A-Za-z0-9_]*$"
}
