import Foundation
import ReqcliBasics
import ReqcliDefinitions
import ReqcliFunctions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

extension Evaluation {
    mutating func signer(for signature: Signature) -> Evaluated<RequestSigner> {
        switch signature {
        case .hmac(let template): signer(for: template)
        case .aws(let template): signer(for: template)
        }
    }

    // MARK: AWS

    private mutating func signer(for template: AWSTemplate) -> Evaluated<RequestSigner> {
        let keys = AWSTemplate.Key.allCases.compactMap { key in template[key].map { (key, $0) } }
        guard case .value(let texts) = credentials(keys.map { ($0.0.title, $0.1) }, mayBeEmpty: false) else {
            return .failed
        }
        let values = Dictionary(zip(keys.map(\.0), texts), uniquingKeysWith: { $1 })
        for key in [AWSTemplate.Key.secretAccessKey, .sessionToken] {
            keepSecret(values[key] ?? "", named: key.rawValue)
        }
        return .value(
            .aws(
                AWSSignature(
                    service: values[.service] ?? "", region: values[.region] ?? "",
                    accessKeyID: values[.accessKeyID] ?? "", secretAccessKey: values[.secretAccessKey] ?? "",
                    sessionToken: values[.sessionToken],
                    place: template.isInQuery ? .query(expires: template.expires) : .header,
                    signsPayload: template.signsPayload)))
    }

    // MARK: HMAC

    private mutating func signer(for template: HMACTemplate) -> Evaluated<RequestSigner> {
        guard case .value(let values) = credentials([("the key", template.key)]) else { return .failed }
        // A stand-in has no encoding, and nothing is signed with it.
        let isOpen = world.hasStandIns || standIns.contains { values[0].contains($0.value) }
        guard let key = Self.key(values[0], isOpen ? .utf8 : template.keyEncoding) else {
            report(
                .valueInvalid, "the key of \"hmac\" is not \(template.keyEncoding.rawValue)", at: template.key.place,
                hint: "\"keyEncoding\" says how the key is written: utf8, base64 or hex")
            return .failed
        }
        keepSecret(values[0], named: "key")
        // Reads the values that don't depend on the request, so that their mistakes are found before anything is sent.
        var isWhole = true
        let texts = [template.sign] + (template.headers + template.query).map(\.value)
        for case .placeholder(let placeholder) in texts.flatMap(\.pieces) {
            // With `default`, a value may be missing.
            if case .computed(let computed) = placeholder.value, computed.pipeline.fillsGaps { continue }
            for placeholder in TextTemplate(pieces: [.placeholder(placeholder)], place: placeholder.place).placeholders
            {
                switch placeholder.value {
                case .computed: continue
                case .name(let name) where RequestWord.isOne(name): continue
                default: if case .failed = value(of: placeholder) { isWhole = false }
                }
            }
        }
        guard isWhole else { return .failed }
        let signing = HMACSigning(template: template, key: key, evaluation: self)
        return .value(RequestSigner { try signing.signed($0, at: $1) })
    }

    private static func key(_ text: String, _ encoding: HMACTemplate.KeyEncoding) -> [UInt8]? {
        switch encoding {
        case .utf8: Array(text.utf8)
        case .base64: Base64.decode(text.replacing("-", with: "+").replacing("_", with: "/"))
        case .hex: [UInt8](hex: text)
        }
    }
}

/// Signs a request with the values that its templates had when the request was made.
private struct HMACSigning: Sendable {
    let template: HMACTemplate
    let key: [UInt8]
    let evaluation: Evaluation

    func signed(_ request: PreparedRequest, at time: Double) throws -> SignedRequest {
        var signed = SignedRequest(request)
        var evaluation = evaluation
        evaluation.drawn.time = time
        // Headers and items without the signature can be signed themselves.
        try set(&signed, &evaluation, withSignature: false, SignedParts(request))
        var parts = SignedParts(signed.request)
        evaluation.signed = parts
        signed.text = try bytes(of: template.sign, &evaluation, &signed)
        let code = template.algorithm.code(of: signed.text, key: key)
        let signature =
            switch template.encoding {
            case .hex: code.hex
            case .base64: Data(code).base64EncodedString()
            case .base64url: Base64.encodeForURL(code)
            }
        parts.signature = signature
        signed.secrets.append(("signature", signature))
        try set(&signed, &evaluation, withSignature: true, parts)
        return signed
    }

    private func set(
        _ signed: inout SignedRequest, _ evaluation: inout Evaluation, withSignature: Bool, _ parts: SignedParts
    ) throws {
        evaluation.signed = parts
        for header in template.headers where header.value.usesSignature == withSignature {
            try signed.set(header: header.name, text(of: header.value, &evaluation, &signed))
        }
        for item in template.query where item.value.usesSignature == withSignature {
            signed.set(queryItem: item.name, try text(of: item.value, &evaluation, &signed))
        }
    }

    private func text(
        of template: TextTemplate, _ evaluation: inout Evaluation, _ signed: inout SignedRequest
    ) throws -> String {
        let own = evaluation.madeSecrets { $0.text(template) }
        if case .value(let text) = own.result, evaluation.diagnostics.isEmpty {
            signed.secrets += own.made
            // Secrets of the request that the evaluation doesn't know can be in its parts.
            let source = template.placeholders.compactMap { evaluation.signed?.text($0.value.text) }.joined(
                separator: "\n")
            evaluation.signed?.areSecret = true
            signed.derived += evaluation.madeSecrets { $0.text(template) }.made.map {
                ($0.name, $0.value, Array(source.utf8))
            }
            evaluation.signed?.areSecret = false
            return text
        }
        let redactor = evaluation.usedSecrets.redactor
        let absent = Diagnostic(
            code: .valueUnresolved, "this text of \"hmac\" has no value", at: template.place,
            hint: "the header or the param that it names is missing")
        let problems = evaluation.diagnostics.isEmpty ? [absent] : evaluation.diagnostics
        throw Failure(.broken, problems.map { $0.mappingTexts(redactor.redact) })
    }

    /// The bytes of a text. A body is signed as it is, even if it isn't text.
    private func bytes(
        of template: TextTemplate, _ evaluation: inout Evaluation, _ signed: inout SignedRequest
    ) throws -> [UInt8] {
        guard let body = evaluation.signed?.body, evaluation.signed?.binaryBody != nil else {
            return Array(try text(of: template, &evaluation, &signed).utf8)
        }
        return try template.pieces.flatMap { piece -> [UInt8] in
            if case .placeholder(let placeholder) = piece, placeholder.value == .name(RequestWord.body) { return body }
            return Array(try text(of: TextTemplate(pieces: [piece], place: template.place), &evaluation, &signed).utf8)
        }
    }
}

extension Evaluation {
    /// The result of an evaluation, and the secrets that it has made.
    fileprivate mutating func madeSecrets<Result>(
        _ evaluate: (inout Evaluation) -> Result
    ) -> (result: Result, made: [(name: String, value: String)]) {
        let known = Set(usedSecrets.map(\.value))
        let result = evaluate(&self)
        return (result, usedSecrets.filter { !known.contains($0.value) }.map { ($0.name, $0.value) })
    }
}
