import ReqcliDefinitions
import ReqcliText

/// The settings of a collection or a folder for the requests below it.
struct BrunoLevel {
    var headers: [BruPair] = []
    var variables: [BruPair] = []
    /// The authentication; nil if it is inherited from the level above.
    var auth: BrunoAuth?

    init() {}

    init(_ file: BruFile) {
        headers = file["headers"]?.pairs ?? []
        variables = (file["vars:pre-request"] ?? file["vars"])?.pairs ?? []
        let mode = file["auth"]?.value("mode")
        auth = mode.flatMap { BrunoAuth($0, file) }
    }
}

/// The authentication that a file states.
struct BrunoAuth {
    let mode: String
    let block: BruBlock?
    /// Whether the requests for tokens have parameters or headers of their own.
    let hasTokenParameters: Bool

    /// Nil if the authentication is inherited.
    init?(_ mode: String, _ file: BruFile) {
        if mode == "inherit" { return nil }
        self.mode = mode
        let block = file["auth:" + mode]
        self.block = block
        hasTokenParameters =
            mode == "oauth2"
            && (file.blocks.contains { $0.name.hasPrefix("auth:oauth2:additional_param") }
                || block?.value("additionalParameters") != nil)
    }

    enum Result {
        case auth(ImportedAuth, toDo: String? = nil)
        /// A token that the user has to get before the request is sent.
        case token(String)
        case lost(String)
    }

    /// A client in the words of Bruno or OpenCollection.
    private var client: ImportedClient {
        func text(_ names: String...) -> String? {
            names.lazy.compactMap { block?.value($0) }.first { !$0.isEmpty }.map { BrunoNames.template($0).text }
        }
        var client = ImportedClient(grant: text("grant_type", "flow") ?? "")
        client.texts[.tokenURL] = text("access_token_url", "accessTokenUrl")
        client.texts[.authorizationURL] = text("authorization_url", "authorizationUrl")
        client.texts[.clientID] = text("client_id", "credentials.clientId")
        client.texts[.clientSecret] = text("client_secret", "credentials.clientSecret")
        client.texts[.redirect] = text("callback_url", "callbackUrl")
        client.isSecretInBody = text("credentials_placement", "credentials.placement") == "body"
        client.scopes = (text("scope") ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        client.hasOtherPlace =
            text("token_placement") == "url"
            || !["", "bearer"].contains((text("token_header_prefix") ?? "").trimmed.lowercased())
        return client
    }

    var result: Result {
        func text(_ name: String) -> String { BrunoNames.template(block?.value(name) ?? "").text }
        switch mode {
        case "none": return .auth(.none)
        case "bearer": return .auth(.bearer(text("token")))
        case "basic", "digest":
            let kind = ImportedAuth.AccountKind(rawValue: mode) ?? .basic
            return .auth(.account(kind, user: text("username"), password: text("password")))
        case "apikey":
            let isQuery = block?.value("placement")?.lowercased().contains("query") == true
            return .auth(.apiKey(isQuery ? .query : .header, name: text("key"), value: text("value")))
        case "oauth2":
            switch client.result {
            case .client(let client, let toDo): return .auth(client, toDo: toDo)
            case .token(let toDo): return .token(toDo)
            }
        case "awsv4":
            return .auth(
                .aws(
                    service: text("service"), region: text("region"), accessKeyID: text("accessKeyId"),
                    secretAccessKey: text("secretAccessKey"), sessionToken: text("sessionToken")))
        default: return .lost("a kind of authentication is not converted")
        }
    }
}
