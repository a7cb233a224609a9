import Calling
import Exchange
import Foundation
import OAuth
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Gets, keeps and renews the access tokens of a run. One token is asked for only once, however many requests and processes
/// need it at the same time.
actor TokenKeeper {
    private let context: Context
    nonisolated let transport: any Transport
    private let store: TokenStore?
    /// The tokens that this run has used, by their keys.
    private var known: [String: StoredToken] = [:]
    /// The last task that looked for a token. The next one waits for it.
    private var last: Task<Result<StoredToken?, Failure>, Never>?

    init(_ context: Context, _ transport: any Transport) {
        self.context = context
        self.transport = transport
        store = TokenStore(context)
    }

    /// Tokens for the calls of a command.
    nonisolated var source: TokenSource {
        TokenSource(
            rehearse: { client, assembled throws(Failure) in
                let need = TokenNeed(client, assembled, to: assembled.request.url, self.context.files)
                try self.rehearse(need)
            },
            token: { client, assembled, request, rejected throws(Failure) in
                let need = TokenNeed(client, assembled, to: request.url, self.context.files)
                return try await self.token(for: need, rejected: rejected)?.accessToken
            })
    }

    /// Finds out, without sending anything, whether somebody has to log in first.
    nonisolated func rehearse(_ need: TokenNeed) throws(Failure) {
        let stored = try store?.read(need.key)
        guard need.client.flow.needsLogin else { return }
        guard let stored else { throw notLoggedIn(need) }
        try demandAgreement(stored, need)
    }

    /// A token, or another token than the rejected one; nil if there is no other token.
    func token(for need: TokenNeed, rejected: String? = nil) async throws(Failure) -> StoredToken? {
        let now = context.world.clock.date()
        if let token = known[need.key], token.isFresh(at: now), token.accessToken != rejected, token.serves(need) {
            return token
        }
        let task = Task { [last] in
            _ = await last?.value
            return await self.settle(need, rejected)
        }
        last = task
        return try await task.value.get()
    }

    private func settle(_ need: TokenNeed, _ rejected: String?) async -> Result<StoredToken?, Failure> {
        do throws(Failure) {
            return .success(try await found(need, rejected))
        } catch {
            return .failure(error)
        }
    }

    private func found(_ need: TokenNeed, _ rejected: String?) async throws(Failure) -> StoredToken? {
        func usable(_ token: StoredToken?) throws(Failure) -> StoredToken? {
            guard let token else { return nil }
            if need.client.flow.needsLogin { try demandAgreement(token, need) }
            let isFresh = token.isFresh(at: context.world.clock.date())
            return isFresh && token.accessToken != rejected && token.serves(need) ? token : nil
        }
        guard let store else {
            if let token = try usable(known[need.key]) { return token }
            guard !need.client.flow.needsLogin else { throw notLoggedIn(need) }
            return keep(try await obtained(need, known[need.key]), need)
        }
        if let token = try usable(try store.read(need.key)) { return keep(token, need) }
        let (changes, unlock) = try store.lock()
        defer { unlock() }
        // Meanwhile, another process may have renewed it.
        let old = try store.read(need.key)
        if let token = try usable(old) { return keep(token, need) }
        do throws(OAuthConversation.Refusal) {
            guard let new = try await renewed(need, old) else {
                // The server rejects a token that can't be renewed: its response says more.
                if rejected != nil { return nil }
                throw OAuthConversation.Refusal(failure: old == nil ? notLoggedIn(need) : ended(need, nil))
            }
            try written(new, need, changes, store)
            return keep(new, need)
        } catch {
            guard error.code == "invalid_grant", old != nil else { throw error.failure }
            // On a file system without locks, another process may have used the refresh token first.
            if let token = try usable(try store.read(need.key)) { return keep(token, need) }
            store.remove(need.key, changes)
            throw ended(need, error.failure)
        }
    }

    private func written(
        _ token: StoredToken, _ need: TokenNeed, _ changes: StateFolder.Changes, _ store: TokenStore
    ) throws(OAuthConversation.Refusal) {
        do throws(Failure) {
            try store.write(token, need.key, changes)
        } catch {
            throw OAuthConversation.Refusal(failure: error)
        }
    }

    private func keep(_ token: StoredToken, _ need: TokenNeed) -> StoredToken {
        known[need.key] = token
        return token
    }

    private func obtained(_ need: TokenNeed, _ old: StoredToken?) async throws(Failure) -> StoredToken {
        do throws(OAuthConversation.Refusal) {
            if let token = try await renewed(need, old) { return token }
        } catch {
            throw error.failure
        }
        throw notLoggedIn(need)
    }

    /// A new token, without asking anybody; nil if that isn't possible.
    private func renewed(
        _ need: TokenNeed, _ old: StoredToken?
    ) async throws(OAuthConversation.Refusal) -> StoredToken? {
        let secrets = [old?.refreshToken, old?.accessToken].compactMap(\.self)
        let redactor = need.redactor.adding(
            secrets.map { ResolvedSecret(name: "token", value: $0, origin: .computed(nil)) })
        let conversation = OAuthConversation(
            transport, like: need.transfer.completed(by: context.usualTransfer), redactor)
        let flow = OAuthFlow(need.client)
        let grant: TokenGrant?
        if need.client.flow == .clientCredentials {
            grant = try await conversation.grant(flow.clientCredentials)
        } else if let old, let refresh = old.refreshToken {
            grant = try await conversation.grant { () throws(OAuthProblem) in try flow.refresh(refresh, old.endpoints) }
        } else {
            grant = nil
        }
        guard let grant else { return nil }
        let origins = Set(old?.origins ?? []).union([need.origin].compactMap(\.self)).sorted()
        return StoredToken(grant, for: need, origins: origins, at: context.world.clock.date(), replacing: old)
    }
}

extension TokenKeeper {
    /// Throws if nobody has agreed that the server of the request gets the token.
    private nonisolated func demandAgreement(_ token: StoredToken, _ need: TokenNeed) throws(Failure) {
        guard let origin = need.origin, !token.origins.contains(origin) else { return }
        throw Failure(
            .broken, code: .tokenMissing,
            "the token of \(own: need.environment) is not for \(origin), but for \(token.origins.joined(separator: ", "))",
            hint: "to agree that it is sent there, run \"\(own: need.command("login"))\"")
    }

    private nonisolated func notLoggedIn(_ need: TokenNeed) -> Failure {
        if context.isInCI {
            return Failure(
                .broken, code: .tokenMissing, "in CI, logins are neither kept nor used",
                hint: "use the flow clientCredentials there, or \"bearer\" with a secret")
        }
        return Failure(
            .broken, code: .tokenMissing, "not logged in to \(own: need.environment)",
            hint: "run \"\(own: need.command("login"))\"")
    }

    private nonisolated func ended(_ need: TokenNeed, _ reason: Failure?) -> Failure {
        let why: Wording = reason.map { ": \($0.wording)" } ?? ""
        return Failure(
            .broken, code: .tokenMissing, "the login to \(own: need.environment) has ended" + why,
            hint: "run \"\(own: need.command("login"))\"")
    }
}

extension StoredToken {
    /// Whether the token was obtained for the server of the need.
    fileprivate func serves(_ need: TokenNeed) -> Bool { need.origin.map(origins.contains) ?? true }
}

extension OAuthClient.Flow {
    /// Whether a person has to log in.
    var needsLogin: Bool { self != .clientCredentials }
}
