import Calling
import Exchange
import Foundation
import OAuth
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Carries out the steps of a flow: sends their requests, and reads their responses.
struct OAuthConversation: Sendable {
    let transport: any Transport
    let transfer: TransferSettings
    let redactor: Redactor
    /// The person who logs in; nil if nobody can.
    var person: LoginPerson?

    /// The reason why a conversation gave no token.
    struct Refusal: Error {
        let failure: Failure
        /// The server's `error`; nil if the server reported none.
        var code: String?
    }

    /// - Parameter transfer: The settings of the request that needs the token. Certificates, proxies, addresses and time limits also
    ///   apply to the OAuth server. Its certificate is always checked.
    init(_ transport: any Transport, like transfer: TransferSettings, _ redactor: Redactor) {
        var own = TransferSettings()
        own.timeouts = transfer.timeouts
        own.timeouts.total = transfer.timeouts.total ?? .seconds(30)
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
        var step = try checked(first)
        while true {
            switch step {
            case .done(let grant): return grant
            case .ended: return nil
            case .send(let request, let next):
                let response = try await response(to: request)
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
                step = try checked { () throws(OAuthProblem) in try next(target) }
            }
        }
    }

    private func checked(_ make: () throws(OAuthProblem) -> OAuthStep) throws(Refusal) -> OAuthStep {
        do throws(OAuthProblem) {
            return try make()
        } catch {
            let failure = Failure(
                .broken, code: .tokenRefused, redactor.redact(error.wording), hint: error.hint)
            throw Refusal(failure: failure, code: error.code)
        }
    }

    private func asking<Answer>(_ ask: () async throws(Failure) -> Answer) async throws(Refusal) -> Answer {
        do throws(Failure) { return try await ask() } catch { throw Refusal(failure: error) }
    }

    func response(to request: PreparedRequest) async throws(Refusal) -> OAuthResponse {
        var request = request
        request.transfer = transfer
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
