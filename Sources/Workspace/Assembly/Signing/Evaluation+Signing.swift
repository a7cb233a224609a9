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
        case .jwt(let template): signer(for: template)
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

    // MARK: JWT

    private mutating func signer(for template: JWTTemplate) -> Evaluated<RequestSigner> {
        let keys = JWTTemplate.Key.allCases.compactMap { key in template[key].map { (key, $0) } }
        guard case .value(let texts) = credentials(keys.map { ($0.0.title, $0.1) }, mayBeEmpty: false) else {
            return .failed
        }
        var values = Dictionary(zip(keys.map(\.0), texts), uniquingKeysWith: { $1 })
        var claims = JSONLiteral.object([])
        if let given = template.claims {
            switch json(given) {
            case .value(.object(let members)): claims = OrderedJSON.object(members).literal
            case .value, .absent:
                report(.valueInvalid, "\"claims\" is not an object", at: given.place)
                return .failed
            case .failed: return .failed
            }
        }
        for key in [JWTTemplate.Key.key, .passphrase] { keepSecret(values[key] ?? "", named: key.rawValue) }
        // A stand-in is no private key, and nothing is sent with it.
        let isOpen = world.hasStandIns || standIns.contains { standIn in texts.contains { $0.contains(standIn.value) } }
        if isOpen { values[.passphrase] = nil }
        let signature = JWTSignature(
            isOpen ? .hs256 : template.algorithm, key: values[.key] ?? "", passphrase: values[.passphrase],
            keyID: values[.keyID], claims: claims, expires: template.expires)
        let signer = RequestSigner.jwt(signature)
        let (place, redactor) = (template[.key]?.place ?? template.place, usedSecrets.redactor)
        return .value(
            RequestSigner {
                do { return try signer.signed($0, at: $1) } catch let error as RequestBuildingError {
                    throw Failure(
                        .broken, code: .valueInvalid, redactor.redact("\(own: error.reason)" as Wording), at: place)
                }
            })
    }

    // MARK: HMAC

    private mutating func signer(for template: HMACTemplate) -> Evaluated<RequestSigner> {
        guard case .value(let values) = credentials([("the key", template.key)]) else { return .failed }
        // A stand-in has no encoding, and nothing is signed with it.
        let isOpen = world.hasStandIns || standIns.contains { values[0].contains($0.value) }
        guard let key = (isOpen ? .utf8 : template.keyEncoding).key(values[0]) else {
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
        let signing = HMACSigning(template, key: key, self)
        return .value(RequestSigner { try signing.signed($0, at: $1) })
    }
}

/// Signs a request with the values that its templates had when the request was made.
private struct HMACSigning: Sendable {
    let signature: HMACSignature<TextTemplate>
    let evaluation: Evaluation

    init(_ template: HMACTemplate, key: [UInt8], _ evaluation: Evaluation) {
        func carriers(_ all: [Named<TextTemplate>]) -> [HMACSignature<TextTemplate>.Carrier] {
            all.map { .init($0.name, $0.value, usesSignature: $0.value.usesSignature) }
        }
        signature = HMACSignature(
            template.algorithm, key: key, template.encoding, of: template.sign, headers: carriers(template.headers),
            query: carriers(template.query))
        self.evaluation = evaluation
    }

    func signed(_ request: PreparedRequest, at time: Double) throws -> SignedRequest {
        var evaluation = evaluation
        evaluation.drawn.time = time
        return try signature.signed(request) { template, parts, signed in
            evaluation.signed = parts
            return try bytes(of: template, &evaluation, &signed)
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

    /// The value of a part of the request that is being signed.
    mutating func part(_ word: String, of signed: SignedParts, _ place: Place) -> Evaluated<OrderedJSON> {
        guard let text = signed.text(word) else {
            if word != RequestWord.body { return .absent }
            report(
                .requestInvalid, "the body is read from files while it is sent, so {{$body}} has no value", at: place,
                hint: "sign other parts, or give the body as text")
            return .failed
        }
        if signed.areSecret || word == RequestWord.signature { usesSecret = true }
        return given(.string(text), place)
    }
}
