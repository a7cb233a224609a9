import Calling
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// The need of a request for a token: of which client, in which workspace and environment, and for which server.
struct TokenNeed: Sendable {
    let client: OAuthClient
    let workspace: String
    let environment: String
    /// The name of the token's file. Another workspace, environment or client has another one.
    let key: String
    /// The words after a command that is about this token: `-e staging`.
    var words: [String]
    /// The server that gets the token; nil if none does.
    var origin: String?
    /// The way to that server, and to the OAuth server.
    let way: TokenWay
    private let assembled: AssembledRequest
    private let origins: SecretOrigins?

    /// - Parameters:
    ///   - url: The URL that the token is sent to; nil if it isn't sent.
    ///   - origins: The limits of the run's secrets; nil if there are none.
    init(
        _ client: OAuthClient, _ assembled: AssembledRequest, to url: URL?, _ files: FileSystem,
        guardedBy origins: SecretOrigins?
    ) {
        self.origins = origins
        let call = assembled.call
        workspace = files.resolve(call.workspace.root) ?? call.workspace.root
        environment = call.environment.name
        self.client = client
        let identity = [workspace, environment] + client.identity
        key = SHA256.hash(Array(OrderedJSON.array(identity.map { .string($0) }).compact.utf8)).hex
        let words = assembled.secrets.lazy.compactMap { secret -> [String]? in
            if case .accessToken(let words) = secret.origin { Array(words.dropFirst(2)) } else { nil }
        }.first
        self.words = words ?? ["-e", environment]
        origin = url.map { WebOrigin($0).text }
        way = TokenWay(of: assembled)
        self.assembled = assembled
    }

    var transfer: TransferSettings { assembled.request.transfer }
    var redactor: Redactor { assembled.redactor }

    /// Fails if a URL that a browser opens would carry a secret to an origin that must not get it.
    func refuseStrayingSecrets(in url: String) throws(Failure) {
        guard let url = URL(string: url) else { return }
        try origins?.check(tokenRequest: PreparedRequest(url: url), of: assembled)
    }

    /// A transport for requests about this token, which keeps secrets at their origins.
    func guarding(_ transport: any Transport) -> any Transport {
        origins?.guarding(transport, tokensOf: assembled) ?? transport
    }

    var place: TokenPlace { TokenPlace(origin: origin, way: way) }

    /// A command about this token, as a person types it.
    func command(_ name: String, _ more: [String] = []) -> String {
        "reqcli \(name) \(ShellQuoting.line(words + more))"
    }
}
