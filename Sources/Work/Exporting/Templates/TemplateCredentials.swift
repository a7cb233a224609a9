import Foundation
import ReqcliDefinitions
import RequestBuilding

extension OpenRequest {
    /// The credentials of the request, as its kind of `auth` sends them.
    var credentials: TemplateCall.Credentials {
        let header = request.headers["Authorization"]
        switch endpoint.auth(in: environment)?.set?.credentials {
        case .bearer, .oauth2:
            if let header, header.hasPrefix("Bearer ") { return .bearer(String(header.dropFirst(7))) }
        case .basic:
            if let account = header.flatMap(OpenRequest.account) {
                return .basic(user: account.user, password: account.password)
            }
        case .digest, .any:
            if let account = request.transfer.challengeAccount {
                return .digest(user: account.user, password: account.password)
            }
        case .apiKey(.header, let name, _):
            if let value = request.headers[name.value] {
                return .key(inQuery: false, name: name.value, value: value)
            }
        case .apiKey(.query, let name, _):
            if let item = queryItems.first(where: { PercentEncoding.decoded($0.name) == name.value }) {
                return .key(inQuery: true, name: name.value, value: PercentEncoding.decoded(item.value))
            }
        case .signature(.aws(let template)):
            if let signature = request.signer?.aws { return .aws(signature, inQuery: template.isInQuery) }
        case .signature, nil: break
        }
        return .none
    }

    /// The query items as the URL has them.
    var queryItems: [TemplateCall.Item] {
        url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst().split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return TemplateCall.Item(
                name: parts[0], value: parts.count > 1 ? parts[1] : "", isBare: parts.count == 1)
        }
    }

    /// The user and the password in a header with Basic credentials; nil for any other header.
    static func account(inBasic header: String) -> (user: String, password: String)? {
        guard header.hasPrefix("Basic "), let data = Data(base64Encoded: String(header.dropFirst(6))),
            let account = String(validating: data, as: UTF8.self), let colon = account.firstIndex(of: ":")
        else { return nil }
        return (String(account[..<colon]), String(account[account.index(after: colon)...]))
    }
}

extension TemplateCall.Credentials {
    func map(_ text: (String) -> String) -> TemplateCall.Credentials {
        switch self {
        case .none: .none
        case .bearer(let token): .bearer(text(token))
        case .basic(let user, let password): .basic(user: text(user), password: text(password))
        case .digest(let user, let password): .digest(user: text(user), password: text(password))
        case .key(let inQuery, let name, let value): .key(inQuery: inQuery, name: name, value: text(value))
        case .aws(let signature, let inQuery): .aws(signature.mappingTexts(text), inQuery: inQuery)
        case .oauth2(let client): .oauth2(client.mappingTexts(text))
        }
    }
}
