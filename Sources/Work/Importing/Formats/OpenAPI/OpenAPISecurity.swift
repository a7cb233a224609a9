import ReqcliBasics
import ReqcliDefinitions
import ReqcliOpenAPI
import ReqcliText

/// Converts the credentials of operations. Each security scheme becomes a secret that is read from a process variable.
struct OpenAPISecurity {
    /// The credentials that an operation sends.
    struct Credentials: Equatable {
        var auth = ImportedAuth.inherited
        var headers: [OrderedJSON.Member] = []
        var query: [OrderedJSON.Member] = []

        /// Adds the credentials to a request.
        ///
        /// - Parameter usual: The credentials of the environment.
        func apply(to request: inout ImportedRequest, usual: Credentials?) {
            if auth != .inherited {
                request.auth = auth == usual?.auth ? .inherited : auth
            } else if usual != nil {
                request.auth = .none
            }
            request.addHeaders(headers)
            if case .items(let items) = request.query, !query.isEmpty {
                let names = Set(query.map(\.name))
                request.query = .items(items.filter { !names.contains($0.name) } + query)
            }
        }
    }

    /// The beginning of the names of process variables: `SHOP`.
    private let prefix: String
    /// The names of process variables, by the role of the secret and the name of its scheme.
    private var variables: [String: String] = [:]
    private var taken = UniqueNames(separator: "_")
    /// The credentials of operations that state no credentials.
    private var inherited: Credentials?
    private var noted: Set<String> = []

    /// The scopes that operations need, by the names of their schemes.
    private var scopes: [String: [String]] = [:]

    init(prefix: String, _ requirements: [JSONValue]) {
        self.prefix = prefix.isEmpty ? "API" : prefix
        for scheme in requirements.flatMap(\.elementList).flatMap({ Array($0.members) }) {
            for scope in scheme.value.elementList.compactMap(\.string)
            where scopes[scheme.name]?.contains(scope) != true && !scope.contains("{{") {
                scopes[scheme.name, default: []].append(scope)
            }
        }
    }

    /// The credentials that more than half of all operations have; nil if there are no such credentials.
    static func mostUsed(_ all: [Credentials]) -> Credentials? {
        var counts: [(Credentials, Int)] = []
        for credentials in all
        where credentials.auth != .inherited && credentials.headers.isEmpty && credentials.query.isEmpty {
            if let index = counts.firstIndex(where: { $0.0 == credentials }) {
                counts[index].1 += 1
            } else if counts.count < 20 {
                counts.append((credentials, 1))
            }
        }
        return counts.first { $0.1 * 2 > all.count }?.0
    }

    // MARK: Alternatives

    mutating func credentials(
        for operation: OpenAPIOperation, _ document: inout OpenAPIDocument, _ notes: inout [ConversionNote]
    ) -> Credentials {
        if let own = operation.security { return credentials(of: own, &document, &notes) ?? Credentials() }
        let all = inherited ?? credentials(of: document.root["security"], &document, &notes) ?? Credentials()
        inherited = all
        return all
    }

    /// The credentials of a list of alternatives; nil if there is no list.
    mutating func credentials(
        of stated: JSONValue?, _ document: inout OpenAPIDocument, _ notes: inout [ConversionNote]
    ) -> Credentials? {
        guard let stated else { return nil }
        var alternatives: [[OpenAPISecurityScheme]] = []
        for element in stated.elements where element.count > 0 {
            var schemes: [OpenAPISecurityScheme] = []
            for member in element.members {
                if let scheme = document.securityScheme(member.name) {
                    schemes.append(scheme)
                } else if noted.insert(member.name).inserted {
                    notes.append(
                        ConversionNote(.lost, "a security scheme is not defined", member.name, at: member.key.place))
                }
            }
            if schemes.count == element.count { alternatives.append(schemes) }
        }
        let done = alternatives.first { $0.allSatisfy { $0.kind.isSupported } }
        guard
            let chosen = done ?? alternatives.first(where: { $0.allSatisfy { $0.kind.isPossible } })
                ?? alternatives.first
        else { return Credentials() }
        return credentials(of: chosen, &notes)
    }

    private mutating func credentials(
        of schemes: [OpenAPISecurityScheme], _ notes: inout [ConversionNote]
    ) -> Credentials {
        var result = Credentials()
        // Schemes that use the Authorization header become `auth`. API keys may be sent in addition.
        for scheme in schemes.filter({ !$0.kind.isKey }) + schemes.filter({ $0.kind.isKey }) {
            switch scheme.kind {
            case .bearer: add(.bearer(secret("token", of: scheme)), of: scheme, to: &result, &notes)
            case .oauth2, .openIDConnect: add(token(of: scheme, &notes), of: scheme, to: &result, &notes)
            case .basic: add(account(.basic, scheme), of: scheme, to: &result, &notes)
            case .digest: add(account(.digest, scheme), of: scheme, to: &result, &notes)
            case .apiKey(let place, let name):
                if !scheme.kind.isSupported { noteLimits(of: scheme, &notes) }
                addKey(place, name, scheme, to: &result)
            case .mutualTLS, .otherHTTP, .unknown: noteLimits(of: scheme, &notes)
            }
        }
        return result
    }

    /// A client for the first flow of the scheme that reqcli supports. All operations share its scopes, and so its token.
    private mutating func token(of scheme: OpenAPISecurityScheme, _ notes: inout [ConversionNote]) -> ImportedAuth {
        func note(_ toDo: String?) {
            guard let toDo, noted.insert("\(scheme.name) \(toDo)").inserted else { return }
            notes.append(ConversionNote(.toDo, toDo, scheme.name, at: scheme.value.place))
        }
        var refusal = ImportedClient.usualNote
        for var client in Self.clients(of: scheme) {
            client.scopes = scopes[scheme.name] ?? []
            client.texts[.clientID] = secret("clientID", of: scheme)
            client.missing = { _ in Self.missingSecret }
            switch client.result {
            case .client(let client, let toDo):
                let isGuess = if case .openIDConnect = scheme.kind { true } else { false }
                note(isGuess ? "\(toDo ?? ""), or choose another flow" : toDo)
                guard client.json?.texts.contains(Self.missingSecret) == true else { return client }
                let secret = secret("clientSecret", of: scheme)
                return client.mappingTexts { $1 == Self.missingSecret ? secret : $1 }
            case .token(let toDo): refusal = toDo
            }
        }
        note(refusal)
        return .bearer(secret("token", of: scheme))
    }

    private static let missingSecret = "{{missing}}"

    private static func clients(of scheme: OpenAPISecurityScheme) -> [ImportedClient] {
        if case .openIDConnect = scheme.kind {
            var client = ImportedClient(grant: "authorizationCode")
            let url = scheme.value["openIdConnectUrl"]?.string ?? ""
            let suffix = "/.well-known/openid-configuration"
            client.texts[.issuer] = url.hasSuffix(suffix) ? String(url.dropLast(suffix.count)) : url
            return [client]
        }
        // Swagger has one flow, in the scheme itself, and other names.
        let names = ["accessCode": "authorizationCode", "application": "clientCredentials"]
        let own = scheme.value["flow"]?.string.map { (names[$0] ?? $0, scheme.value) }
        let flows = own.map { [$0] } ?? scheme.value["flows"]?.members.map { ($0.name, $0.value) } ?? []
        let order = ["clientCredentials", "authorizationCode", "deviceAuthorization"]
        func rank(_ name: String) -> Int { order.firstIndex(of: name) ?? order.count }
        return flows.sorted { rank($0.0) < rank($1.0) }.map { name, flow in
            var client = ImportedClient(grant: name)
            client.texts[.tokenURL] = flow["tokenUrl"]?.string
            client.texts[.authorizationURL] = flow["authorizationUrl"]?.string
            client.texts[.deviceURL] = flow["deviceAuthorizationUrl"]?.string
            return client
        }
    }

    private func add(
        _ auth: ImportedAuth, of scheme: OpenAPISecurityScheme, to result: inout Credentials,
        _ notes: inout [ConversionNote]
    ) {
        if result.auth == .inherited {
            result.auth = auth
        } else {
            notes.append(
                ConversionNote(
                    .lost, "a request has only one Authorization header: a second scheme is not converted", scheme.name,
                    at: scheme.value.place))
        }
    }

    private mutating func addKey(
        _ place: String, _ name: String, _ scheme: OpenAPISecurityScheme, to result: inout Credentials
    ) {
        let secret = secret(name, of: scheme)
        switch place {
        case "cookie": result.headers.append(OrderedJSON.Member("Cookie", .string("\(name)=\(secret)")))
        case _ where result.auth == .inherited:
            result.auth = .apiKey(place == "query" ? .query : .header, name: name, value: secret)
        case "query": result.query.append(OrderedJSON.Member(name, .string(secret)))
        default: result.headers.append(OrderedJSON.Member(name, .string(secret)))
        }
    }

    private mutating func account(
        _ kind: ImportedAuth.AccountKind, _ scheme: OpenAPISecurityScheme
    ) -> ImportedAuth {
        .account(kind, user: secret("user", of: scheme), password: secret("password", of: scheme))
    }

    private mutating func noteLimits(of scheme: OpenAPISecurityScheme, _ notes: inout [ConversionNote]) {
        guard noted.insert("\(scheme.name) \(scheme.kind)").inserted else { return }
        let (kind, message): (ConversionNote.Kind, String) =
            switch scheme.kind {
            case .mutualTLS: (.toDo, "the server asks for a certificate: add \"tls\"")
            case .otherHTTP(let name): (.lost, "credentials of the scheme \(name) are not supported")
            default: (.lost, "credentials of an unknown kind are not converted")
            }
        notes.append(ConversionNote(kind, message, scheme.name, at: scheme.value.place))
    }

    // MARK: Secrets

    /// A placeholder for the process variable with a secret of a scheme. The passes turn this placeholder into a secret.
    private mutating func secret(_ role: String, of scheme: OpenAPISecurityScheme) -> String {
        "{{\(SecretPass.variableMark)\(variable(role, scheme.name))}}"
    }

    private mutating func variable(_ role: String, _ scheme: String) -> String {
        let key = "\(role) \(scheme)"
        if let known = variables[key] { return known }
        let role = Words.upper(Words.camel(role))
        let long = [prefix, Words.upper(scheme), role].filter { !$0.isEmpty }.joined(separator: "_")
        var name = [prefix, role].filter { !$0.isEmpty }.joined(separator: "_")
        if taken.contains(name) { name = long }
        name = taken.take(name)
        variables[key] = name
        return name
    }
}

extension OpenAPISecurityScheme.Kind {
    fileprivate var isKey: Bool { if case .apiKey = self { true } else { false } }

    /// Whether reqcli supports the scheme without further work by the user.
    fileprivate var isSupported: Bool {
        switch self {
        case .bearer, .basic, .digest: true
        case .apiKey(let place, _): ["header", "query", "cookie"].contains(place)
        case .oauth2, .openIDConnect, .mutualTLS, .otherHTTP, .unknown: false
        }
    }

    /// Whether the scheme can be used if the user does the rest, such as getting a token.
    fileprivate var isPossible: Bool {
        switch self {
        case .otherHTTP, .unknown: false
        default: true
        }
    }
}

extension ImportedRequest {
    /// Adds headers that don't exist yet. If there is already a Cookie header, the new cookies are added to this header.
    mutating func addHeaders(_ new: [OrderedJSON.Member]) {
        var known = Set(headers.map { $0.name.lowercased() })
        let cookies = new.filter { $0.name == "Cookie" }.compactMap(\.value.scalarText).joined(separator: "; ")
        if !cookies.isEmpty, known.contains("cookie"),
            let index = headers.firstIndex(where: { $0.name.lowercased() == "cookie" }),
            case .string(let one) = headers[index].value
        {
            headers[index] = OrderedJSON.Member(headers[index].name, .string("\(one); \(cookies)"))
        }
        for header in new where known.insert(header.name.lowercased()).inserted {
            headers.append(header.name == "Cookie" ? OrderedJSON.Member("Cookie", .string(cookies)) : header)
        }
    }
}
