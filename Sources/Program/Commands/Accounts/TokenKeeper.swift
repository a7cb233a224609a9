import Calling
import Exchange
import Foundation
import OAuth
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Gets, keeps and renews access tokens. One token is asked for only once, however many requests and processes need it at the same
/// time.
struct TokenKeeper: Sendable {
    private let context: Context
    let transport: any Transport
    private let store: TokenStore?

    init(_ context: Context, _ transport: any Transport) {
        self.context = context
        self.transport = transport
        store = TokenStore(context)
    }

    private var memory: TokenMemory { context.tokens }
    private var now: Double { context.world.clock.date() }

    /// Tokens for the calls of a command.
    ///
    /// - Parameter origins: The limits of the run's secrets; nil if there are none.
    func source(guardedBy origins: SecretOrigins?) -> TokenSource {
        TokenSource(
            rehearse: { client, assembled throws(Failure) in
                let need = TokenNeed(
                    client, assembled, to: assembled.request.url, self.context.files, guardedBy: origins)
                try self.rehearse(need)
            },
            token: { client, assembled, request, rejected throws(Failure) in
                let need = TokenNeed(client, assembled, to: request.url, self.context.files, guardedBy: origins)
                return try await self.token(for: need, rejected: rejected)?.accessToken
            })
    }

    /// Finds out, without sending anything, whether the user has to log in first.
    func rehearse(_ need: TokenNeed) throws(Failure) { _ = try agreed(try store?.read(need.key), need) }

    /// A token, or another token than the rejected one; nil if there is no other token.
    func token(for need: TokenNeed, rejected: String? = nil) async throws(Failure) -> StoredToken? {
        if let token = try usable(memory[need.key], need, rejected) { return token }
        // Each request needs an agreement of its own, even if it shares the token of another request.
        if let token = try usable(agreed(try store?.read(need.key), need), need, rejected) { return keep(token, need) }
        let renewal = memory.renewal(need.key, rejected) { await self.renewal(need, rejected) }
        guard let token = try await renewal.value.get() else { return nil }
        return try agreed(token, need)
    }

    private func renewal(_ need: TokenNeed, _ rejected: String?) async -> Result<StoredToken?, Failure> {
        do throws(Failure) {
            return .success(try await other(need, rejected))
        } catch {
            return .failure(error)
        }
    }

    private func other(_ need: TokenNeed, _ rejected: String?) async throws(Failure) -> StoredToken? {
        guard let store else {
            if let token = try usable(memory[need.key], need, rejected) { return token }
            do throws(OAuthConversation.Refusal) {
                return try await obtained(need, memory[need.key], rejected) { _ throws(Failure) in }
            } catch {
                throw error.failure
            }
        }
        let (changes, unlock) = try await store.lock(need.key)
        defer { unlock() }
        // Meanwhile, another process may have renewed it.
        let old = try agreed(try store.read(need.key), need)
        if let token = try usable(old, need, rejected) { return keep(token, need) }
        do throws(OAuthConversation.Refusal) {
            return try await obtained(need, old, rejected) { token throws(Failure) in
                try store.write(token, need.key, changes)
            }
        } catch {
            guard error.code == "invalid_grant", old != nil, need.client.flow.needsLogin else { throw error.failure }
            // On a file system without locks, another process may have used the refresh token first.
            if let token = try usable(try store.read(need.key), need, rejected) { return keep(token, need) }
            store.remove(need.key, changes)
            throw ended(need, error.failure)
        }
    }

    private func obtained(
        _ need: TokenNeed, _ old: StoredToken?, _ rejected: String?,
        _ write: (StoredToken) throws(Failure) -> Void
    ) async throws(OAuthConversation.Refusal) -> StoredToken? {
        if let rejected, memory.isReplacement(rejected, need.key, at: now) { return nil }
        if let failure = memory.failure(need.key, at: now) { throw OAuthConversation.Refusal(failure: failure) }
        func written() async throws(OAuthConversation.Refusal) -> StoredToken? {
            guard let new = try await renewed(need, old) else { return nil }
            do throws(Failure) { try write(new) } catch { throw OAuthConversation.Refusal(failure: error) }
            return new
        }
        // The server may accept a refresh token only once, so that its response must not be lost.
        let new: StoredToken?
        if old?.refreshToken == nil {
            new = try await written()
        } else {
            new = try await Interruption.delaying(written)
        }
        guard let new else {
            // The server rejects a token that can't be renewed: its response says more.
            if rejected != nil { return nil }
            throw OAuthConversation.Refusal(failure: ended(need, nil))
        }
        if rejected != nil { memory.note(replacement: new.accessToken, need.key, at: now) }
        return keep(new, need)
    }

    private func keep(_ token: StoredToken, _ need: TokenNeed) -> StoredToken {
        memory[need.key] = token
        return token
    }

    /// The token, if the request can use it.
    private func usable(
        _ token: StoredToken?, _ need: TokenNeed, _ rejected: String?
    ) throws(Failure) -> StoredToken? {
        guard let token, token.accessToken != rejected else { return nil }
        let canRenew = token.refreshToken != nil || !need.client.flow.needsLogin
        guard token.isUsable(at: now, isRenewable: canRenew) else { return nil }
        return try agreed(token, need)
    }

    /// A new token, without asking a person; nil if that isn't possible.
    private func renewed(
        _ need: TokenNeed, _ old: StoredToken?
    ) async throws(OAuthConversation.Refusal) -> StoredToken? {
        let flow = OAuthFlow(need.client)
        let isRefresh = need.client.flow.needsLogin
        let conversation = OAuthConversation(
            need.guarding(transport), like: need.transfer.completed(by: context.usualTransfer),
            need.redactor.adding((old?.secrets ?? []).map(\.resolved)), isPatient: isRefresh)
        do throws(OAuthConversation.Refusal) {
            let grant: TokenGrant?
            if !isRefresh {
                grant = try await conversation.grant(flow.clientCredentials)
            } else if let old, let refresh = old.refreshToken {
                grant = try await conversation.grant { () throws(OAuthProblem) in
                    try flow.refresh(refresh, old.endpoints)
                }
            } else {
                grant = nil
            }
            return grant.map {
                StoredToken($0, for: need, places: old?.places ?? [], at: now, replacing: old)
            }
        } catch {
            if error.code != "invalid_grant" { memory.note(error.failure, need.key, at: now) }
            throw error
        }
    }
}

extension TokenKeeper {
    /// The token, if a person has agreed that it takes this way to the server. A token that a client gets with its own secret needs
    /// no agreement, like any other secret of the workspace.
    private func agreed(_ token: StoredToken?, _ need: TokenNeed) throws(Failure) -> StoredToken? {
        guard need.client.flow.needsLogin else { return token }
        guard let token else { throw notLoggedIn(need) }
        if let origin = need.origin {
            let places = token.places.filter { $0.origin == origin }
            if places.contains(where: { need.way.fits($0.way) }) { return token }
            let more = places.isEmpty ? ["--for", origin] : []
            throw Failure(
                .broken, code: .tokenMissing,
                "the token of \(own: need.environment) is not for \(need.place.phrase), but for \(token.origins.joined(separator: ", "))",
                hint: "to agree that it is sent there, run \"\(own: need.command("login", more))\"")
        }
        if token.places.contains(where: { need.way.fits($0.way) }) { return token }
        let way = need.way.phrase.isEmpty ? " directly" : need.way.phrase
        throw Failure(
            .broken, code: .tokenMissing,
            "the token of \(own: need.environment) must not be sent\(way): the files named other proxies or certificates at the login",
            hint: "to agree to them, run \"\(own: need.command("login"))\"")
    }

    private func notLoggedIn(_ need: TokenNeed) -> Failure {
        if context.isInCI {
            return Failure(
                .broken, code: .tokenMissing, "in CI, logins are neither kept nor used",
                hint: "use the flow clientCredentials there, or \"bearer\" with a secret")
        }
        return Failure(
            .broken, code: .tokenMissing, "not logged in to \(own: need.environment)",
            hint: "run \"\(own: need.command("login"))\"")
    }

    private func ended(_ need: TokenNeed, _ reason: Failure?) -> Failure {
        let why: Wording = reason.map { ": \($0.wording)" } ?? ""
        return Failure(
            .broken, code: .tokenMissing, "the login to \(own: need.environment) has ended" + why,
            hint: "run \"\(own: need.command("login"))\"")
    }
}

extension OAuthClient.Flow {
    /// Whether a person has to log in.
    var needsLogin: Bool { self != .clientCredentials }
}
