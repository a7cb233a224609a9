import Foundation
import ReqcliText
package import RequestBuilding

/// A value of a conversation with an OAuth server that must not be shown.
package struct OAuthSecret: Hashable, Sendable {
    /// The name of the value in the protocol, such as `code_verifier`.
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    fileprivate static let inForms: Set = [
        "code", "code_verifier", "device_code", "refresh_token", "token", "client_secret",
    ]
    fileprivate static let inResponses = ["access_token", "refresh_token", "id_token", "device_code"]
}

extension PreparedRequest {
    /// The secrets in a request of a step: in its form, and in the account of the client.
    package var oauthSecrets: [OAuthSecret] {
        let form = body?.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let items = form.split(separator: "&").compactMap { item -> OAuthSecret? in
            let parts = item.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, OAuthSecret.inForms.contains(String(parts[0])) else { return nil }
            return OAuthSecret(name: String(parts[0]), value: PercentEncoding.decoded(parts[1]))
        }
        return items + accountSecrets
    }

    /// The account as it is sent. Its parts are encoded first, so that it doesn't contain the client's secret itself.
    private var accountSecrets: [OAuthSecret] {
        guard let value = headers["Authorization"], value.hasPrefix("Basic ") else { return [] }
        let account = String(value.dropFirst("Basic ".count))
        let text = Data(base64Encoded: account).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let secret = text.firstIndex(of: ":").map { String(text[text.index(after: $0)...]) } ?? ""
        return [account, secret].filter { !$0.isEmpty }.map { OAuthSecret(name: "client_secret", value: $0) }
    }
}

extension OAuthResponse {
    /// The secrets in the response, even if the response is an error.
    package var secrets: [OAuthSecret] {
        let document = JSONDocument.read(SourceFile(name: "response", bytes: body, isSecret: true))
        guard let root = document.validRoot, root.kind == .object else { return [] }
        return OAuthSecret.inResponses.compactMap { name in
            root.text(name).map { OAuthSecret(name: name, value: $0) }
        }
    }
}

extension AuthorizationRequest {
    /// The secrets in the address that the browser ends at.
    package func secrets(in target: String) -> [OAuthSecret] {
        let codes = URLComponents(string: target).map { Self.values("code", $0) } ?? []
        return [OAuthSecret(name: "state", value: state)]
            + codes.filter { !$0.isEmpty }.map { OAuthSecret(name: "code", value: $0) }
    }
}
