import Calling
import Exchange
import Foundation
import OAuth
import ReqcliAssembly
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Carries out the steps of a flow: sends their requests, and reads their responses.
struct OAuthConversation: Sendable {
    let transport: any Transport
    let transfer: TransferSettings
    private let redactor: Redactor
    /// The person who logs in; nil if nobody can.
    var person: LoginPerson?

    /// The reason why a conversation gave no token.
    struct Refusal: Error {
        let failure: Failure
        /// The server's `error`; nil if the server reported none.
        var code: String?
    }

    /// - Parameters:
    ///   - transfer: The settings of the request that needs the token. Certificates, proxies, addresses and time limits also apply to
    ///     the OAuth server. Its certificate is always checked.
    ///   - isPatient: Whether a response must not be lost, because the server may answer only once: then only the limit for
    ///     connecting applies, and 30 s in all.
    init(
        _ transport: any Transport, like transfer: TransferSettings, _ redactor: Redactor, isPatient: Bool = false
    ) {
        var own = TransferSettings()
        own.timeouts = isPatient ? Timeouts(connect: transfer.timeouts.connect) : transfer.timeouts
        own.timeouts.total = own.timeouts.total ?? .seconds(30)
        own.tls = transfer.tls
        own.tls.isInsecure = false
        own.proxies = transfer.proxies
        own.resolvedHosts = transfer.resolvedHosts
        self.transport = transport
        self.transfer = own
        self.redactor = redactor
    }

    /// The token at the end of the steps; nil if they end without one.
    func grant(_ first: () throws(OAuthProblem) -> OAuthStep) async throws(Refusal) -> TokenGrant? {
        var redactor = redactor
        func add(_ secrets: [OAuthSecret]) { redactor = redactor.adding(secrets.map(\.resolved)) }
        func checked(_ make: () throws(OAuthProblem) -> OAuthStep) throws(Refusal) -> OAuthStep {
            do throws(OAuthProblem) { return try make() } catch { throw Refusal(error, redactor) }
        }
        var step = try checked(first)
        while true {
            switch step {
            case .done(let grant): return grant
            case .ended: return nil
            case .send(let request, let next):
                add(request.oauthSecrets)
                let response = try await response(to: request, redactor)
                add(response.secrets)
                step = try checked { () throws(OAuthProblem) in try next(response) }
            case .show(let code, let next):
                guard let person else { return nil }
                person.show(code)
                step = next()
            case .wait(let time, let next):
                guard let person else { return nil }
                await person.wait(time)
                step = try checked { () throws(OAuthProblem) in try next() }
            case .authorize(let request, let next):
                guard let person else { return nil }
                let target = try await asking { () async throws(Failure) in try await person.authorize(request) }
                add(request.secrets(in: target))
                step = try checked { () throws(OAuthProblem) in try next(target) }
            }
        }
    }

    private func asking<Answer>(_ ask: () async throws(Failure) -> Answer) async throws(Refusal) -> Answer {
        do throws(Failure) { return try await ask() } catch { throw Refusal(failure: error) }
    }

    func response(to request: PreparedRequest) async throws(Refusal) -> OAuthResponse {
        try await response(to: request, redactor)
    }

    private func response(
        to request: PreparedRequest, _ redactor: Redactor
    ) async throws(Refusal) -> OAuthResponse {
        var request = request
        request.transfer = transfer
        if request.url.scheme?.lowercased() == "http" {
            // Secrets travel unencrypted only on this machine, so that nothing may lead elsewhere.
            request.transfer.proxies = ProxySettings(http: "", https: "", exceptions: "*")
            request.transfer.resolvedHosts = []
        }
        request.headers.set("User-Agent", "\(Program.name)/\(Program.version)")
        do {
            let response = try await transport.send(request)
            let body = try await response.body.data(upTo: OAuthResponse.largestBody)
            return OAuthResponse(status: response.status, body: Array(body))
        } catch is ResponseBody.TooLarge {
            let failure = Failure(
                .broken, code: .tokenRefused, "the response of \(request.url.host ?? "") is larger than 1 MiB")
            throw Refusal(failure: failure)
        } catch {
            throw Refusal(failure: Failure(unanswered: error, redactor))
        }
    }
}

extension OAuthConversation.Refusal {
    /// The most characters that a message quotes of one value.
    static let longestQuote = 300

    fileprivate init(_ problem: OAuthProblem, _ redactor: Redactor) {
        let wording = redactor.redact(problem.wording).limited(quotes: Self.longestQuote, total: 2000)
        self.init(failure: Failure(.broken, code: .tokenRefused, wording, hint: problem.hint), code: problem.code)
    }
}

extension OAuthSecret {
    /// The secret as requests have it.
    var resolved: ResolvedSecret { ResolvedSecret(name: name, value: value, origin: .computed(nil)) }
}
