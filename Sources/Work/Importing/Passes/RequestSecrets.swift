import Foundation
import ReqcliDefinitions
import ReqcliFunctions
import ReqcliRedaction
import ReqcliText

extension ImportedRequest {
    /// Turns numbers whose names show that they are secret into params. Secrets of the environment are sent as strings, so such a
    /// number can't become a secret of the environment.
    mutating func hidingNumbers(in value: OrderedJSON) -> OrderedJSON {
        var known = Set(params.map(\.name))
        return hidingNumbers(in: value, &known)
    }

    /// The value with params in place of secret numbers.
    ///
    /// - Parameter known: The names of the params.
    private mutating func hidingNumbers(in value: OrderedJSON, _ known: inout Set<String>) -> OrderedJSON {
        switch value {
        case .array(let elements): return .array(elements.map { hidingNumbers(in: $0, &known) })
        case .object(let members):
            return .object(
                members.map { member in
                    guard case .number = member.value, LikelySecret.isName(member.name) else {
                        return OrderedJSON.Member(member.name, hidingNumbers(in: member.value, &known))
                    }
                    let name = Words.camel(member.name)
                    if known.insert(name).inserted {
                        params.append(ImportedParam(name, .number, secret: true))
                    }
                    return OrderedJSON.Member(member.name, .string("{{\(name)}}"))
                })
        case .null, .bool, .number, .string: return value
        }
    }

    /// Marks a capture as secret if its name, its source or its use shows that the value is secret.
    ///
    /// - Parameter credentials: The names of variables that are used as credentials.
    mutating func markCaptures(_ credentials: Set<String>) {
        for index in captures.indices where !captures[index].isSecret {
            let name = captures[index].name
            let isSource =
                switch captures[index].source {
                case .json(let path):
                    path.split { "$.[]'\"".contains($0) }.last.map { LikelySecret.isName(String($0)) } ?? false
                case .header(let name, _): LikelySecret.isHeader(name)
                case .cookie, .body, .status, .url: false
                }
            captures[index].isSecret = isSource || credentials.contains(name) || LikelySecret.isName(name)
        }
    }

    /// Turns an Authorization header with a bearer token or an account into `auth`.
    mutating func moveAuthorization() {
        guard auth == .inherited else { return }
        let fields = headers.filter { $0.name.lowercased() == "authorization" }
        guard fields.count == 1, case .string(let text) = fields[0].value else { return }
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, !parts[1].hasPrefix(" ") else { return }
        let credentials = String(parts[1])
        switch parts[0] {
        case "Bearer": auth = .bearer(credentials)
        case "Basic":
            guard let bytes = Base64.decode(credentials), let account = String(validating: bytes, as: UTF8.self),
                let colon = account.firstIndex(of: ":"), Data(bytes).base64EncodedString() == credentials
            else { return }
            auth = .account(
                TemplateText(literal: String(account[..<colon])),
                TemplateText(literal: String(account[account.index(after: colon)...])))
        default: return
        }
        headers.remove("Authorization")
    }
}
