import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// The credentials of a request.
extension LayerCode {
    mutating func add(_ credentials: Credentials) {
        let subject = credentials.carrier.subject
        switch credentials {
        case .bearer(let token): add(subject, [.init(".authorization", ["bearer: \(credential(token))"])])
        case .basic(let user, let password):
            let (user, password) = (credential(user), credential(password))
            add(subject, [.init(".authorization", ["user: \(user)", "password: \(password)"])])
        case .digest(let user, let password): add(subject, [account(".digestAccount", user, password)])
        case .any(let user, let password): add(subject, [account(".anyAccount", user, password)])
        case .apiKey(.header, let name, let value):
            let written = code.literal(name.value)
            add(subject, [.init(".header", [written, credential(value)]), .init(".secretHeader", [written])])
        case .apiKey(.query, let name, let value):
            let written = code.literal(name.value)
            add(subject, [.init(".queryItem", [written, credential(value)]), .init(".secretQueryItem", [written])])
            for name in affected { states[name]?.queryKey = operations.last }
        case .signature(.aws(let template)): add(subject, [.init(".signing", [signature(template)])])
        case .signature(.hmac(let template)):
            // Without the operator, the requests would keep the signature of an earlier layer.
            add(subject, [credentials.carrier.removal])
            note("\"hmac\" is not converted, so the requests are sent unsigned", at: template.sign.place)
        }
    }

    private mutating func signature(_ template: AWSTemplate) -> String {
        var arguments = AWSTemplate.Key.allCases.compactMap { key in
            template[key].map { "\(key.rawValue): \(credential($0))" }
        }
        if template.isInQuery {
            arguments.append("place: .query(expires: .seconds(\(template.expires.components.seconds)))")
        }
        if !template.signsPayload { arguments.append("signsPayload: false") }
        return ".aws(AWSSignature(\(arguments.joined(separator: ", "))))"
    }

    private mutating func account(_ key: String, _ user: ValueTemplate, _ password: ValueTemplate) -> Operation.Call {
        let (user, password) = (credential(user), credential(password))
        return .init(".setting", [key, "Account(user: \(user), password: \(password))"])
    }

    mutating func credential(_ template: ValueTemplate) -> String {
        code.required(code.text(template), template.placeholders.first?.value.text ?? "auth").text
    }
}
