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
/// the secret. The values that functions made of a secret are noted for it, so that a param, an element of a list or a capture with
/// such a value counts, too. At any other server, such as that of a redirect, the request itself is searched for the secrets of the
/// whole run.
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

    /// Notes the secrets that come from variables and from files of the workspace, before a request uses them: a capture that was kept
    /// in an earlier run, or the response of another server, can contain one.
    package func noteSecretsAtHand(of call: Call, in world: World) {
        for (name, value) in call.secretsAtHand(in: world) { note(name, value) }
    }

    /// Notes a value that a secret has in this run.
    private func note(_ name: String, _ value: String) {
        guard limits.contains(where: { $0.name == name }) else { return }
        found.withLock { found in
            let known = found[name]?.secrets ?? []
            let secret = Redactor.Secret(label: "secret.\(name)", value: value)
            if !known.contains(secret) { found[name] = Redactor(known + [secret]) }
        }
    }

    /// The call, which knows the limited secrets as well: a value that another server returned may contain one, and so may what
    /// functions make of it.
    func known(to call: Call) -> Call {
        var call = call
        let known = found.withLock { $0.values.flatMap(\.secrets) }
        let new = known.filter { !call.redactor.secrets.contains($0) }
        if !new.isEmpty { call.redactor = Redactor(call.redactor.secrets + new) }
        return call
    }

    /// Fails if the request would carry a secret to an origin that must not get it.
    ///
    /// - Parameter assembled: The request of the call; nil if the request was not made from the files.
    package func check(_ request: PreparedRequest, of assembled: AssembledRequest?) throws(Failure) {
        let own = note(assembled?.ownSecrets ?? [])
        let isOwnServer =
            assembled.map { WebOrigin($0.request.url) == WebOrigin(request.url) } ?? false
            || request.transfer.redirects.credentials == .anyHost
        let uses = assembled.map { self.uses(of: $0, own) } ?? []
        for limit in limits {
            let parts = uses.lazy.filter { $0.secret == limit.name }.map(\.part)
            // A flag can put a secret into a request, of which the files know nothing.
            let isUsed = parts.isEmpty ? own.contains(limit.name) : parts.contains { $0.goesToServer }
            let finding = isOwnServer && isUsed ? Finding.use : find(limit, in: request)
            if let finding {
                try demand(WebOrigin(request.url).text, limit, finding)
                if request.isReadByProxy, let proxy = request.proxyOrigin { try demand(proxy, limit, finding) }
            }
            if parts.contains(.proxy), let proxy = request.proxyOrigin { try demand(proxy, limit, .use) }
        }
    }

    /// Fails if a request for an access token would carry a secret to an origin that must not get it.
    package func check(tokenRequest request: PreparedRequest, of assembled: AssembledRequest) throws(Failure) {
        let uses = uses(of: assembled, note(assembled.ownSecrets))
        // A request for the metadata of an issuer carries nothing.
        let isForClient = request.body != nil || request.headers["Authorization"] != nil
        for limit in limits {
            let isUsed = isForClient && uses.contains { $0.secret == limit.name && $0.part == .oauth2 }
            if let finding = isUsed ? .use : find(limit, in: request) {
                try demand(WebOrigin(request.url).text, limit, finding)
            }
        }
    }

    /// Fails if the request for the access token of a call would carry a secret to an origin that must not get it. The endpoints that an
    /// issuer will name are not known yet.
    package func check(tokenOf assembled: AssembledRequest) throws(Failure) {
        guard case .endpoints(let token, _, let device)? = assembled.request.tokenClient?.server else { return }
        for case let url? in [token, device].map({ $0.flatMap { URL(string: $0) } }) {
            try check(tokenRequest: PreparedRequest(url: url, method: .post, body: .data(Data())), of: assembled)
        }
    }

    /// The limited secrets in the parts of a request: those that its files name, and those that callers have passed to it.
    private func uses(of assembled: AssembledRequest, _ own: Set<String>) -> [SecretUse] {
        let call = assembled.call
        var passed: [String: Set<String>] = [:]
        for argument in call.arguments {
            switch argument.source {
            case .value(let value): passed[argument.name] = names(in: value.plainText)
            case .text(let text): passed[argument.name] = names(in: text)
            case .file: continue
            }
        }
        for (alias, captures) in call.captures {
            for (name, value) in captures { passed["\(alias).\(name)"] = names(in: value.plainText) }
        }
        let given = passed.values.reduce(into: own) { $0.formUnion($1) }
        return given.isEmpty
            ? [] : call.endpoint.secretUses(in: environment, passed: passed).filter { given.contains($0.secret) }
    }

    /// Notes the secrets that a request or a param was made from, and returns the names of the limited ones.
    @discardableResult
    func note(_ secrets: [ResolvedSecret]) -> Set<String> {
        var own: Set<String> = []
        for secret in secrets where secret.isNamed && limits.contains(where: { $0.name == secret.name }) {
            own.insert(secret.name)
            note(secret.name, secret.value)
        }
        // A value that functions made of a secret is kept at the secret's origins, too.
        for secret in secrets {
            guard case .computed(_, let sources) = secret.origin else { continue }
            for name in sources.reduce(into: Set(), { $0.formUnion(names(in: $1)) }) { note(name, secret.value) }
        }
        return own
    }

    /// The limited secrets that a value contains.
    private func names(in value: String) -> Set<String> {
        let bytes = Array(value.utf8)
        return found.withLock { found in
            Set(found.filter { $1.isSecret(in: bytes) || $1.secrets.contains { $0.value == value } }.keys)
        }
    }

    // MARK: Findings

    private enum Finding {
        /// The request was made from the secret.
        case use
        /// A part of the request contains the value.
        case value(in: String)
    }

    /// The part of a request that contains the secret, in any of the forms that are masked.
    private func find(_ limit: Limit, in request: PreparedRequest) -> Finding? {
        guard let redactor = found.withLock({ $0[limit.name] }) else { return nil }
        if redactor.isSecret(in: Array(request.url.absoluteString.utf8)) { return .value(in: "URL") }
        if let header = request.headers.first(where: { redactor.isSecret(in: Array($0.value.utf8)) }) {
            return .value(in: "header \(header.name)")
        }
        return request.body?.holdsSecret(redactor) == true ? .value(in: "body") : nil
    }

    private func demand(_ origin: String, _ limit: Limit, _ finding: Finding) throws(Failure) {
        if limit.origins.contains(origin) { return }
        let found: Wording =
            if case .value(let part) = finding { "; the \(own: part) of the request contains its value" } else { "" }
        throw Failure(
            .refusedByPolicy, code: .secretOrigin,
            "the secret \"\(own: limit.name)\" must not be sent to \(origin)\(found)", at: limit.place,
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
    package func guarding(_ transport: any Transport, tokensOf assembled: AssembledRequest) -> any Transport {
        MiddlewareTransport([OriginMiddleware { try self.check(tokenRequest: $0, of: assembled) }], before: transport)
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
