import ReqcliDefinitions
import ReqcliText

/// The credentials of a request.
extension LayerCode {
    mutating func addAuth(_ setting: Setting<Auth>?) {
        guard let setting else { return }
        let auth = setting.set?.credentials
        carry(\.auth, by: auth?.carrier)
        for name in affected { states[name]?.queryKey = nil }
        guard let auth, let carrier = auth.carrier else { return }
        switch auth {
        case .bearer(let token):
            let value = credential(token)
            add(carrier.subject, carrier.key, [.init(".authorization", ["bearer: \(value)"])])
        case .basic(let user, let password):
            let (user, password) = (credential(user), credential(password))
            add(carrier.subject, carrier.key, [.init(".authorization", ["user: \(user)", "password: \(password)"])])
        case .digest(let user, let password):
            add(carrier.subject, carrier.key, [account(".digestAccount", user, password)])
        case .any(let user, let password):
            add(carrier.subject, carrier.key, [account(".anyAccount", user, password)])
        case .apiKey(.header, let name, let value):
            let written = code.literal(name.value)
            add(
                carrier.subject, carrier.key,
                [.init(".header", [written, credential(value)]), .init(".secretHeader", [written])])
        case .apiKey(.query, let name, let value):
            let written = code.literal(name.value)
            add(
                carrier.subject, carrier.key,
                [.init(".queryItem", [written, credential(value)]), .init(".secretQueryItem", [written])])
            for name in affected { states[name]?.queryKey = operations.last }
        }
    }

    private mutating func account(_ key: String, _ user: ValueTemplate, _ password: ValueTemplate) -> Operation.Call {
        let (user, password) = (credential(user), credential(password))
        return .init(".setting", [key, "Account(user: \(user), password: \(password))"])
    }

    mutating func credential(_ template: ValueTemplate) -> String {
        code.required(code.text(template), template.placeholders.first?.value.text ?? "auth").text
    }
}

extension Credentials {
    /// The part of the request that holds the credentials.
    fileprivate var carrier: LayerCode.Carrier? {
        switch self {
        case .bearer, .basic: .header("Authorization")
        case .digest: .setting("auth.digest", ".digestAccount")
        case .any: .setting("auth.any", ".anyAccount")
        case .apiKey(.header, let name, _): .header(name.value)
        case .apiKey(.query, let name, _):
            LayerCode.Carrier(
                key: "query:\(name.value)", subject: ".queryItem(\(SwiftText.literal(name.value)))",
                removal: .init(".removingQueryItem", [SwiftText.literal(name.value)]))
        }
    }
}

extension LayerCode.Carrier {
    static func header(_ name: String) -> Self {
        Self(
            key: "header:\(name.lowercased())", subject: ".header(\(SwiftText.literal(name)))",
            removal: .init(".removingHeader", [SwiftText.literal(name)]))
    }

    fileprivate static func setting(_ name: String, _ key: String) -> Self {
        Self(key: "setting:\(name)", subject: ".setting(\"\(name)\")", removal: .init(".removingSetting", [key]))
    }
}
