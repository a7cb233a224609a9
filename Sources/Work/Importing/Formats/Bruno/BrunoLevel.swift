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

    /// Nil if the authentication is inherited.
    init?(_ mode: String, _ file: BruFile) {
        if mode == "inherit" { return nil }
        self.mode = mode
        block = file["auth:" + mode]
    }

    enum Result {
        case auth(ImportedAuth)
        /// A token that the user has to get before the request is sent.
        case token(String)
        case lost(String)
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
        case "oauth2": return .token("requests need an OAuth 2 token: set the secret")
        case "awsv4":
            return .auth(
                .aws(
                    service: text("service"), region: text("region"), accessKeyID: text("accessKeyId"),
                    secretAccessKey: text("secretAccessKey"), sessionToken: text("sessionToken")))
        default: return .lost("a kind of authentication is not converted")
        }
    }
}
