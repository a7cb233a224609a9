import ReqcliBasics
import ReqcliDefinitions
package import ReqcliRedaction
package import ReqcliText
package import RequestBuilding

/// Collects what must not be shown of the signatures and access tokens of one request. Each attempt has a signature of its own.
package final class SignatureBook: Sendable {
    private struct State {
        var secrets: [ResolvedSecret] = []
        var first: PreparedRequest?
    }

    /// Whether a signature is made from a stand-in, so that it would be wrong.
    private let isOpen: Bool
    /// Finds the secrets of the finished request.
    private let redactor: Redactor
    /// The time of a signature that is only shown.
    fileprivate let now: @Sendable () -> Double
    private let state = Mutex(State())

    init(_ secrets: [ResolvedSecret], now: @escaping @Sendable () -> Double) {
        isOpen = secrets.contains(where: \.isStandIn)
        redactor = secrets.redactor
        self.now = now
    }

    package var secrets: [ResolvedSecret] { state.withLock(\.secrets) }

    /// The first request that was signed.
    package var first: PreparedRequest? { state.withLock(\.first) }

    package func add(_ signed: SignedRequest) {
        let secrets = secrets(of: signed)
        state.withLock { state in
            state.secrets += secrets.filter { !state.secrets.contains($0) }
            state.first = state.first ?? signed.request
        }
    }

    /// Notes an access token that the request was sent with.
    package func add(token: String) {
        let secret = ResolvedSecret(name: "token", value: token, origin: .computed(nil))
        state.withLock { if !$0.secrets.contains(secret) { $0.secrets.append(secret) } }
    }

    package func secrets(of signed: SignedRequest) -> [ResolvedSecret] {
        let derived = signed.derived.filter { !$0.value.isEmpty && redactor.isSecret(in: $0.source) }
        return (signed.secrets + derived.map { ($0.name, $0.value) }).map { name, value in
            ResolvedSecret(name: name, value: value, origin: isOpen ? .computedLater : .computed(nil))
        }
    }
}

extension Redactor {
    /// A redactor that masks these secrets, too.
    package func adding(_ more: [ResolvedSecret]) -> Redactor {
        more.isEmpty ? self : Redactor(secrets + more.map(\.redacted))
    }
}

extension AssembledRequest {
    /// The request as it is sent at a time, by default now; nil if it isn't signed. The signature is noted as a secret.
    package func signed(_ request: PreparedRequest, at time: Double? = nil) throws(Failure) -> SignedRequest? {
        let signed = try signed(request, at: time) { try $0.signed($1, at: $2) }
        if let signed { signatures?.add(signed) }
        return signed
    }

    /// The request with a signature of now, for which no file is read; nil if it isn't signed, or can't be.
    var explained: SignedRequest? {
        guard let signed = try? signed(request, { try $0.shown($1, at: $2) }) else { return nil }
        signatures?.add(signed)
        return signed
    }

    /// Finds the mistakes of an HMAC before the request is sent: it is made once, and forgotten.
    func trySignature() throws(Failure) {
        guard let signer = request.signer, signer.aws == nil else { return }
        var request = request
        // Cookies are added only when the request is sent.
        if request.headers["Cookie"] == nil { request.headers.set("Cookie", "none=") }
        _ = try signed(request) { try $0.signed($1, at: $2) }
    }

    /// A request as it was sent first, with its signature; the request itself if nothing was signed. Cookies of a jar are left out,
    /// because they may be secrets.
    package func sent(_ request: PreparedRequest) -> PreparedRequest {
        guard let signed = signatures?.first else { return request }
        var sent = request
        (sent.url, sent.headers, sent.signer) = (signed.url, signed.headers, nil)
        (sent.secretHeaders, sent.secretQueryItems) = (signed.secretHeaders, signed.secretQueryItems)
        sent.headers.remove("Cookie")
        for cookie in request.headers.values("Cookie") { sent.headers.append("Cookie", cookie) }
        return sent
    }

    private func signed(
        _ request: PreparedRequest, at time: Double? = nil,
        _ sign: (RequestSigner, PreparedRequest, Double) throws -> SignedRequest
    ) throws(Failure) -> SignedRequest? {
        guard let signer = request.signer, let time = time ?? signatures?.now() else { return nil }
        do { return try sign(signer, request, time) } catch let failure as Failure {
            throw failure
        } catch let error as RequestBuildingError {
            throw Failure(.broken, code: .requestInvalid, redactor.redact("\(own: error.reason)" as Wording))
        } catch {
            throw Failure(.broken, code: .requestInvalid, redactor.redact("\("\(error)")" as Wording))
        }
    }
}
