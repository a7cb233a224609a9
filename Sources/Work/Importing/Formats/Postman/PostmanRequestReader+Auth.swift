import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension PostmanRequestReader {
    mutating func read(auth inherited: CollectionRequest.Auth?) {
        guard let auth = source.auth ?? inherited else { return }
        let type = auth.type
        func value(_ key: String) -> String? { auth.values[key] }
        func credential(_ key: String, named name: String) -> String {
            guard let text = value(key), !text.isEmpty else { return variables.secret(name) }
            return variables.template(text).text
        }
        let (user, password) = (value("username") ?? "", value("password") ?? "")
        switch type {
        case "noauth": request.auth = .none
        case "bearer": request.auth = .bearer(credential("token", named: "token"))
        case "basic", "digest":
            if user.isEmpty, password.isEmpty {
                noteAuth(.toDo, "credentials without user and password are left out", type, auth)
            } else {
                request.auth = .account(
                    variables.template(user), variables.template(password), kind: type == "digest" ? .digest : .basic)
            }
        case "apikey":
            let isQuery = value("in") == "query"
            let name = value("key") ?? ""
            guard !name.isEmpty, isQuery || name.isToken, !name.contains("{{") else {
                return noteAuth(.lost, "an API key has a name that is not valid for a header", nil, auth)
            }
            request.auth = .apiKey(
                isQuery ? .query : .header, name: name, value: credential("value", named: name))
        case "oauth2":
            switch client(auth).result {
            case .client(let client, let toDo):
                request.auth = client
                if let toDo { noteAuth(.toDo, toDo, nil, auth) }
            case .token(let toDo):
                request.auth = .bearer(credential("accessToken", named: "accessToken"))
                noteAuth(.toDo, toDo, nil, auth)
            }
        case "awsv4":
            func text(_ keys: String...) -> String {
                keys.lazy.compactMap { value($0) }.first.map { variables.template($0).text } ?? ""
            }
            let token = text("sessionToken")
            request.auth = .aws(
                service: text("service"), region: text("region"), accessKeyID: text("accessKey", "accessKeyId"),
                secretAccessKey: text("secretKey", "secretAccessKey"), sessionToken: token,
                inQuery: value("addAuthDataToQuery") == "true")
        default:
            request.auth = .none
            noteAuth(.lost, "this kind of auth is not converted", type, auth)
        }
    }

    /// A client in the words of Postman or Insomnia.
    private mutating func client(_ auth: CollectionRequest.Auth) -> ImportedClient {
        func text(_ keys: String...) -> String? {
            keys.lazy.compactMap { auth.values[$0] }.first { !$0.isEmpty }.map { variables.template($0).text }
        }
        // Postman leaves out its usual grant.
        var client = ImportedClient(
            grant: auth.values["grant_type"] ?? auth.values["grantType"] ?? "authorization_code")
        client.texts[.tokenURL] = text("accessTokenUrl")
        client.texts[.authorizationURL] = text("authUrl", "authorizationUrl")
        client.texts[.clientID] = text("clientId")
        client.texts[.clientSecret] = text("clientSecret")
        client.texts[.redirect] = text("redirect_uri", "redirectUrl")
        client.isSecretInBody =
            auth.values["client_authentication"] == "body" || auth.values["credentialsInBody"] == "true"
        client.scopes = (text("scope") ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        for name in ["audience", "resource"] { client.parameters[name] = text(name) }
        for (key, value) in auth.values where key.hasPrefix(CollectionRequest.Auth.parameterMark) {
            let name = String(key.dropFirst(CollectionRequest.Auth.parameterMark.count))
            client.parameters[name] = variables.template(value).text
        }
        let prefix = (auth.values["headerPrefix"] ?? auth.values["tokenPrefix"] ?? "").trimmed.lowercased()
        client.hasOtherPlace = auth.values["addTokenTo"] == "queryParams" || !["", "bearer"].contains(prefix)
        return client
    }

    /// Adds a note once for each place, since many requests inherit the auth of a folder.
    private mutating func noteAuth(
        _ kind: ConversionNote.Kind, _ message: String, _ detail: String?, _ auth: CollectionRequest.Auth
    ) {
        let note = ConversionNote(kind, message, detail, at: auth.place)
        if !variables.notedPlaces.insert(auth.place.description).inserted { return }
        notes.append(note)
    }
}
