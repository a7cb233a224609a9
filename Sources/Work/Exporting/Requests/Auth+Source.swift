import ReqcliDefinitions
import ReqcliText

extension Auth {
    /// The value of the key `auth`, as a file writes it.
    ///
    /// - Parameter text: Writes a part of the credentials, by its name.
    func source(_ text: (_ part: String, ValueTemplate) -> OrderedJSON = { $1.source }) -> OrderedJSON {
        func account(_ kind: String, _ user: ValueTemplate, _ password: ValueTemplate) -> OrderedJSON {
            let parts = OrderedJSON.object(["user": text("user", user), "password": text("password", password)])
            return .object([OrderedJSON.Member(kind, parts)])
        }
        switch self {
        case .bearer(let token): return .object(["bearer": text("token", token)])
        case .basic(let user, let password): return account("basic", user, password)
        case .digest(let user, let password): return account("digest", user, password)
        case .any(let user, let password): return account("any", user, password)
        case .apiKey(let place, let name, let value):
            let key = OrderedJSON.Member(place == .header ? "header" : "query", .string(name.value))
            return .object(["apiKey": .object([key, OrderedJSON.Member("value", text("key", value))])])
        }
    }
}

extension ExportSource {
    /// Notes about environments whose credentials differ from the credentials of the requests.
    var lostCredentials: [ConversionNote] {
        let own = environment.auth?.set?.source()
        return environments.compactMap { chain in
            guard chain.name != environment.name, let auth = chain.auth, auth.set?.source() != own else {
                return nil
            }
            return ConversionNote(
                .lost, "the auth of another environment is not converted", chain.name, at: auth.place)
        }
    }
}
