import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliFunctions
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
        case .oauth2(let template):
            // As for "hmac" below, an earlier layer's token must not be sent.
            add(subject, [credentials.carrier.removal])
            note("\"oauth2\" is not converted, so the requests are sent without a token", at: template.place)
        case .signature(.aws(let template)): add(subject, [.init(".signing", [signature(template)])])
        case .signature(.jwt(let template)): add(subject, [.init(".signing", [signature(template)])])
        case .signature(.hmac(let template)): add(subject, [.init(".signing", [signature(template)])])
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

    private mutating func signature(_ template: JWTTemplate) -> String {
        var arguments = [".\(template.algorithm)"]
        for key in JWTTemplate.Key.allCases {
            if let value = template[key] { arguments.append("\(key.rawValue): \(credential(value))") }
        }
        if let claims = template.claims { arguments.append("claims: \(code.inlineJSON(claims))") }
        if template.expires != JWTTemplate.usualLife {
            arguments.append("expires: .seconds(\(template.expires.components.seconds))")
        }
        return ".jwt(JWTSignature(\(arguments.joined(separator: ", "))))"
    }

    private mutating func signature(_ template: HMACTemplate) -> String {
        code.importsFunctions = true
        var arguments = [
            "\"\(template.algorithm.rawValue)\"", "key: \(credential(template.key))",
            "keyEncoding: \"\(template.keyEncoding.rawValue)\"", "encoding: \"\(template.encoding.rawValue)\"",
            "sign: \(signed(template.sign))",
        ]
        for (key, texts) in [("headers", template.headers), ("query", template.query)] where !texts.isEmpty {
            let members = texts.map { "\(SwiftText.literal($0.name)): \(signed($0.value))" }
            arguments.append("\(key): [\(members.joined(separator: ", "))]")
        }
        return "\(CodeMark.throwing.rawValue)values.hmac(\(arguments.joined(separator: ", ")))"
    }

    /// A text whose placeholders for parts of the request and for the time are filled when the request is signed.
    private mutating func signed(_ template: TextTemplate) -> String {
        let pieces = template.pieces.map { piece -> String in
            switch piece {
            case .literal(let text): return SwiftText.literal(text)
            case .placeholder(let placeholder):
                if case .computed(let computed) = placeholder.value {
                    let arguments = code.arguments(of: computed, placeholder) { !$0.isKnownWhenSigned }
                    return ".placeholder(\(arguments))"
                }
                if placeholder.value.isKnownWhenSigned {
                    return ".placeholder(\(SwiftText.literal(placeholder.value.text)))"
                }
                let value = code.required(code.code(of: placeholder), inText: placeholder.value.text)
                return ".text(\(value.asText.text))"
            }
        }
        return "[\(pieces.joined(separator: ", "))]"
    }

    private mutating func account(_ key: String, _ user: ValueTemplate, _ password: ValueTemplate) -> Operation.Call {
        let (user, password) = (credential(user), credential(password))
        return .init(".setting", [key, "Account(user: \(user), password: \(password))"])
    }

    mutating func credential(_ template: ValueTemplate) -> String {
        code.required(code.text(template), template.placeholders.first?.value.text ?? "auth").text
    }
}

extension Placeholder {
    /// Whether the value is known only when the request is signed.
    fileprivate var isKnownWhenSigned: Bool {
        switch self {
        case .name(let name): RequestWord.isOne(name)
        case .generated(.timestamp), .generated(.isoTimestamp): true
        default: false
        }
    }
}
