import ReqcliText

/// Values of the key `auth`, as endpoint and environment files write them.
enum AuthJSON {
    static func bearer(_ token: OrderedJSON) -> OrderedJSON { .object(["bearer": token]) }

    /// The credentials of a user with a password.
    ///
    /// - Parameter kind: `basic`, `digest` or `any`.
    static func account(_ kind: String, user: OrderedJSON, password: OrderedJSON) -> OrderedJSON {
        .object([OrderedJSON.Member(kind, .object(["user": user, "password": password]))])
    }

    /// An API key in a header or a query item.
    ///
    /// - Parameter place: `header` or `query`.
    static func apiKey(in place: String, named name: String, _ value: OrderedJSON) -> OrderedJSON {
        .object(["apiKey": .object([OrderedJSON.Member(place, .string(name)), OrderedJSON.Member("value", value)])])
    }
}

extension ImportedRequest {
    /// Sets the credentials of the request to a user and a password.
    mutating func setAccount(_ user: TemplateText, _ password: TemplateText, kind: String = "basic") {
        auth = .stated(AuthJSON.account(kind, user: .string(user.text), password: .string(password.text)))
    }
}
