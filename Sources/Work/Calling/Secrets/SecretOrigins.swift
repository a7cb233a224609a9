package import Exchange
import Foundation
package import ReqcliAssembly
import ReqcliBasics
package import ReqcliDefinitions
import ReqcliRedaction
package import ReqcliText
package import RequestBuilding

/// Keeps the secrets of an environment at the origins that their `origins` name. Each request is checked right before it is sent.
///
/// A secret belongs to a request if the request was made from it, whatever functions did with it: the server of this request gets
/// the secret. At any other server, such as that of a redirect, the request itself is searched for the secrets of the whole run.
package final class SecretOrigins: Sendable {
    private struct Limit: Sendable {
        let name: String
        let origins: Set<String>
        let place: Place
    }

    private let environment: EnvironmentChain
    private let limits: [Limit]
    /// By the name of the secret, a redactor that finds the values that it had in this run.
    private let found = Mutex<[String: Redactor]>([:])

    /// Nil if no secret of the environment is limited.
    package init?(_ environment: EnvironmentChain) {
        guard environment.limitsSecrets else { return nil }
        self.environment = environment
        limits = environment.secrets.compactMap { secret in
            guard let origins = environment.origins(ofSecret: secret.name), let first = origins.first else {
                return nil
            }
            let known = origins.compactMap { URL(string: $0.value) }.map { WebOrigin($0).text }
            return Limit(name: secret.name, origins: Set(known), place: first.place)
        }
    }

    /// Notes the secrets that come from variables, before a request uses them: a capture that was kept in an earlier run can contain
    /// one. No program runs, and no other file is read.
    package func noteVariables(of call: Call, in world: World) {
        for (name, value) in call.secretsInVariables(of: world) { note(name, value) }
    }

    /// Notes a value that a secret has in this run.
    private func note(_ name: String, _ value: String) {
        guard limits.contains(where: { $0.name == name }) else { return }
        found.withLock { found in
            let known = found[name]?.secrets ?? []
            let secret = Redactor.Secret(label: name, value: value)
            if !known.contains(secret) { found[name] = Redactor(known + [secret]) }
        }
    }

    /// Fails if the request would carry a secret to an origin that must not get it.
    ///
    /// - Parameter assembled: The request of the call; nil if the request was not made from the files.
    package func check(_ request: PreparedRequest, of assembled: AssembledRequest?) throws(Failure) {
        let own = note(assembled?.ownSecrets ?? [])
        let isOwnServer =
            assembled.map { WebOrigin($0.request.url) == WebOrigin(request.url) } ?? false
            || request.transfer.redirects.credentials == .anyHost
        let parts = own.isEmpty ? [] : assembled?.call.endpoint.secretUses(in: environment) ?? []
        for limit in limits {
            let uses = Set(parts.lazy.filter { $0.secret == limit.name }.map(\.part))
            let isForServer = uses.isEmpty || uses.contains { $0.goesToServer }
            let isUsed = isOwnServer && own.contains(limit.name) && isForServer
            if isUsed || isOwnServer && isPassed(limit, to: assembled) || holds(request, limit) {
                try demand(WebOrigin(request.url).text, limit)
                if request.isReadByProxy, let proxy = request.proxyOrigin { try demand(proxy, limit) }
            }
            if uses.contains(.proxy), own.contains(limit.name), let proxy = request.proxyOrigin {
                try demand(proxy, limit)
            }
        }
    }

    /// Fails if a request for an access token would carry a secret to an origin that must not get it.
    package func check(tokenRequest request: PreparedRequest, of assembled: AssembledRequest) throws(Failure) {
        let own = note(assembled.ownSecrets)
        // A request for the metadata of an issuer carries nothing.
        let isForClient = request.body != nil || request.headers["Authorization"] != nil
        let parts = assembled.call.endpoint.secretUses(in: environment)
        for limit in limits {
            let isUsed =
                isForClient && own.contains(limit.name)
                && parts.contains { $0.secret == limit.name && $0.part == .oauth2 }
            if isUsed || holds(request, limit) { try demand(WebOrigin(request.url).text, limit) }
        }
    }

    /// Notes the secrets that a request or a param was made from, and returns the names of the limited ones.
    @discardableResult
    func note(_ secrets: [ResolvedSecret]) -> Set<String> {
        var names: Set<String> = []
        for secret in secrets where secret.isNamed && limits.contains(where: { $0.name == secret.name }) {
            names.insert(secret.name)
            note(secret.name, secret.value)
        }
        // A value that functions made of a secret is kept at the secret's origins, too.
        for secret in secrets {
            guard case .computed = secret.origin else { continue }
            for name in names where isMade(secret.name, of: name) { note(name, secret.value) }
        }
        return names
    }

    /// Whether a placeholder with functions can contain a secret: by its name, by a variable, or by a param.
    private func isMade(_ placeholder: String, of secret: String) -> Bool {
        let words = placeholder.split { !($0.isLetter || $0.isNumber || "._-".contains($0)) }.map(String.init)
        if words.contains("secret.\(secret)") { return true }
        let variables = words.compactMap { environment.variable($0)?.set }
        if variables.contains(where: { environment.secrets(in: $0.placeholders).contains(secret) }) { return true }
        return variables.isEmpty && !words.contains { $0.hasPrefix("secret.") }
    }

    /// Whether a caller has passed the secret to the call, or another server has returned it.
    private func isPassed(_ limit: Limit, to assembled: AssembledRequest?) -> Bool {
        guard let call = assembled?.call, let redactor = found.withLock({ $0[limit.name] }) else { return false }
        let arguments = call.arguments.compactMap { argument -> String? in
            switch argument.source {
            case .value(let value): value.plainText
            case .text(let text): text
            case .file: nil
            }
        }
        let captures = call.captures.values.flatMap(\.values).map(\.plainText)
        return (arguments + captures).contains { redactor.isSecret(in: Array($0.utf8)) }
    }

    /// Whether the request contains the secret, in any of the forms that are masked.
    private func holds(_ request: PreparedRequest, _ limit: Limit) -> Bool {
        guard let redactor = found.withLock({ $0[limit.name] }) else { return false }
        return redactor.isSecret(in: Array(request.url.absoluteString.utf8))
            || request.headers.contains { redactor.isSecret(in: Array($0.value.utf8)) }
            || request.body?.holdsSecret(redactor) == true
    }

    private func demand(_ origin: String, _ limit: Limit) throws(Failure) {
        if limit.origins.contains(origin) { return }
        throw Failure(
            .refusedByPolicy, code: .secretOrigin,
            "the secret \"\(own: limit.name)\" must not be sent to \(origin)", at: limit.place,
            hint:
                "its \"origins\" allow \(own: limit.origins.sorted().joined(separator: ", ")); add this origin, or change where the request goes"
        )
    }
}

extension ResolvedSecret {
    /// Whether the secret comes from `secrets` of an environment.
    fileprivate var isNamed: Bool {
        switch origin {
        case .processVariable, .environmentFile, .command, .file: true
        default: false
        }
    }
}

extension SecretOrigins {
    /// A transport that sends no request for an access token to an origin that must not get one of its secrets.
    package static func guarding(_ transport: any Transport, tokensOf assembled: AssembledRequest) -> any Transport {
        guard let origins = SecretOrigins(assembled.call.environment) else { return transport }
        return MiddlewareTransport(
            [OriginMiddleware { try origins.check(tokenRequest: $0, of: assembled) }], before: transport)
    }
}

/// Checks each request right before it is sent, also one that follows a redirect or a challenge.
struct OriginMiddleware: Middleware {
    let check: @Sendable (PreparedRequest) throws -> Void

    func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        try check(request)
        return try await next(request)
    }
}

extension Diagnostic.Code {
    package static let secretOrigin: Self = "secret.origin"
}
