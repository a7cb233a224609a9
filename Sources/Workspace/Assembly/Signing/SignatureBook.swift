import ReqcliBasics
import ReqcliDefinitions
package import ReqcliRedaction
package import ReqcliText
package import RequestBuilding

/// Collects what must not be shown of the signatures of one request. Each attempt has a signature of its own.
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
        guard let signer = request.signer, let time = time ?? signatures?.now() else { return nil }
        do {
            let signed = try signer.signed(request, at: time)
            signatures?.add(signed)
            return signed
        } catch let failure as Failure {
            throw failure
        } catch let error as RequestBuildingError {
            throw Failure(.broken, code: .requestInvalid, redactor.redact("\(own: error.reason)" as Wording))
        } catch {
            throw Failure(.broken, code: .requestInvalid, redactor.redact("\("\(error)")" as Wording))
        }
    }
}
