import Calling
import Checking
import CommandLineKit
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The captures of needed calls, kept for later runs of `send`. The captures of each call are in a separate file, together with
/// the time until which they may be used.
struct KeptLogins: Sendable {
    let context: Context
    let assembler: Assembler
    /// The value of `--keep`, which replaces `keep` in the files and is also the user's agreement.
    let duration: Duration?
    let session: CallSession
    let isNarrating: Bool

    /// The place where the captures of a needed call are stored; nil if nothing may be stored.
    func captures(_ need: Need, _ call: Call, _ user: Call) -> KeptCaptures? {
        guard let duration = duration ?? need.keep, !context.isInCI else { return nil }
        guard isAgreed(call, for: duration), let folder = StateFolder(KeptLogin.folder, context) else { return nil }
        guard let name = fileName(call, user) else {
            context.note("the captures of \(call.endpoint.id) are not kept, because its request is different each time")
            return nil
        }
        let names = Set(call.endpoint.definition.captures.map(\.name))
        let login = KeptLogin(
            folder: folder, name: name, duration: duration, now: context.world.clock.date,
            owner: Self.owner(call.workspace, call.environment.name, context), endpoint: call.endpoint.id)
        let id = call.endpoint.id
        return KeptCaptures(
            load: {
                guard let found = login.load(), Set(found.captures.keys) == names else { return nil }
                if isNarrating { context.note("\(id) is not called: its captures are kept for \(found.rest.text)") }
                return found.captures
            },
            save: { captures, setsCookies in
                if setsCookies {
                    context.note("\(id) sets cookies, which are not kept; to keep a cookie, capture it with \"cookie\"")
                }
                do throws(WritingProblem) {
                    try login.save(captures)
                } catch {
                    context.report(
                        .warning, code: .outputFailed, "cannot keep the captures of \(id): \(error.reason)")
                }
            },
            remove: { login.remove() })
    }

    /// The logins that are kept for a workspace and an environment: the ids of the called endpoints, each with the rest of the time.
    static func kept(
        in workspace: Workspace, _ environment: String, _ context: Context
    ) -> [(id: String, rest: Duration)] {
        guard let folder = StateFolder(KeptLogin.folder, context) else { return [] }
        let owner = owner(workspace, environment, context)
        return folder.names().compactMap { name in
            guard let login = folder.read(name).flatMap(KeptLogin.Content.init), login.owner == owner else {
                return nil
            }
            let rest = login.until - context.world.clock.date()
            return rest > 0 ? (login.endpoint, .seconds(Int(rest.rounded(.up)))) : nil
        }.sorted { $0.id < $1.id }
    }

    /// The workspace and the environment of a login.
    private static func owner(_ workspace: Workspace, _ environment: String, _ context: Context) -> String {
        "\(StateFolder.key(of: workspace, context.files))-\(environment)"
    }

    private func isAgreed(_ call: Call, for duration: Duration) -> Bool {
        if self.duration != nil { return true }
        let request = TrustRequest.keptLogin(call.endpoint.id, duration)
        switch assembler.permission(for: request, of: call.workspace) {
        case .granted: return true
        case .refused: return false
        case .unasked:
            context.note("\(request.phrase) needs your agreement: pass --keep \(duration.text), or --trust")
            return false
        }
    }

    // MARK: The identity of a login

    /// The name of the file. It identifies the workspace and the environment, the exact request with its credentials, and the
    /// server of the call that uses the captures. Nil for a request that differs each time.
    private func fileName(_ call: Call, _ user: Call) -> String? {
        guard session.cookies == nil, let login = try? session.completing(assembler.assemble(call)),
            login.durability == .repeatable, let origin = try? assembler.assemble(user).request.server
        else { return nil }
        let root = context.files.resolve(call.workspace.root) ?? call.workspace.root
        let identity = OrderedJSON.array([
            .string(root), .string(call.environment.name), .string(call.endpoint.id), login.request.identity, origin,
        ])
        return SHA256.hash(Array(identity.compact.utf8)).hex + ".json"
    }
}

extension PreparedRequest {
    /// The server that the request goes to, and the proxies on the way.
    fileprivate var server: OrderedJSON {
        let port = url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80)
        return .array([
            .string(url.scheme?.lowercased() ?? ""), .string(url.host?.lowercased() ?? ""), .int(port),
            .string(transfer.unixSocket ?? ""), .array(transfer.resolvedHosts.map { .string($0.description) }),
            .array(transfer.detours.map { .string($0.description) }),
            .bool(transfer.tls.isInsecure), .string(transfer.tls.authorities ?? ""), transfer.proxies.way,
        ])
    }

    /// All parts of the request that can tell one user from another.
    fileprivate var identity: OrderedJSON {
        let account = transfer.challengeAccount.map { [$0.user, $0.password] } ?? []
        let bytes = (body?.pieces ?? []).flatMap { piece in
            if case .data(let data) = piece { Array(data) } else { [UInt8]() }
        }
        return .array([
            server, .string(method.token), .string(url.absoluteString),
            .array(headers.map { .string("\($0.name): \($0.value)") }), .string(SHA256.hash(bytes).hex),
            .array((account + [transfer.tls.certificate ?? "", transfer.tls.key ?? ""]).map { .string($0) }),
        ])
    }
}

extension ProxySettings {
    /// The proxies that requests go through. A proxy for http can read and change the requests.
    fileprivate var way: OrderedJSON { .array([http, https, exceptions].map { .string($0 ?? "") }) }
}

/// The stored captures of one call.
private struct KeptLogin: Sendable {
    let folder: StateFolder
    let name: String
    let duration: Duration
    let now: @Sendable () -> Double
    let owner: String
    let endpoint: String

    static let folder = "logins"

    /// The captures and the time for which they remain valid; nil if no captures are stored, or if they have expired.
    func load() -> (captures: [String: OrderedJSON], rest: Duration)? {
        guard let file = folder.read(name).flatMap(Content.init) else { return nil }
        let rest = file.until - now()
        // Applies a shorter `keep` at once. If the clock was set back, the login isn't valid for longer either.
        guard duration > .zero, rest > 0, rest <= Double(duration.components.seconds) + 1 else { return nil }
        return (file.captures, .seconds(Int(rest.rounded(.up))))
    }

    func save(_ captures: [String: OrderedJSON]) throws(WritingProblem) {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        let members = captures.sorted { $0.key < $1.key }.map { OrderedJSON.Member($0.key, $0.value) }
        let until = Int((now() + seconds).rounded(.up))
        let content = OrderedJSON.object([
            "until": .int(until), "owner": .string(owner), "endpoint": .string(endpoint), "captures": .object(members),
        ])
        try folder.change { changes throws(WritingProblem) in
            guard duration > .zero else { return changes.remove(name) }
            for other in folder.names() where folder.read(other).flatMap(Content.init).map({ $0.until < now() }) ?? true
            {
                changes.remove(other)
            }
            try changes.write(name, Array((content.compact + "\n").utf8))
        }
    }

    /// Removes the file, if possible. If it can't be removed, it can't be replaced either, and the failed replacement is
    /// reported.
    func remove() {
        guard folder.names().contains(name) else { return }
        try? folder.change { changes throws(WritingProblem) in changes.remove(name) }
    }

    /// The content of a file.
    struct Content {
        /// The time until which the captures may be used.
        let until: Double
        /// The workspace and the environment for which the captures are kept.
        let owner: String?
        let endpoint: String
        let captures: [String: OrderedJSON]

        init?(_ bytes: [UInt8]) {
            guard let root = JSONDocument.read(SourceFile(name: "kept", bytes: bytes, isSecret: true)).validRoot,
                let captures = root["captures"],
                captures.kind == .object, let until = root["until"].flatMap({ Double($0.text) }), until.magnitude < 1e11
            else { return nil }
            self.until = until
            owner = root["owner"]?.string
            endpoint = root["endpoint"]?.string ?? ""
            self.captures = Dictionary(captures.members.map { ($0.name, OrderedJSON($0.value)) }) { $1 }
        }
    }
}
