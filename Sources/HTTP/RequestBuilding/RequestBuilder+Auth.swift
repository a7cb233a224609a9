extension RequestBuilder {
    /// Sets `Authorization: Bearer TOKEN`.
    public func authorization(bearer token: String) -> RequestBuilder {
        header("Authorization", "Bearer \(token)")
    }

    /// Sets `Authorization: Basic …` from a user name, which must not contain a colon, and a password.
    public func authorization(user: String, password: String) -> RequestBuilder {
        let value = Account(user: user, password: password).basicAuthorization
        return appending(
            "authorization", .header("Authorization"), value: value,
            .request { draft in
                if user.utf8.contains(UInt8(ascii: ":")) {
                    throw StepFailure(.invalidCredentials, "a user name for Basic authorization can't contain \":\"")
                }
                draft.setHeader("Authorization", [value])
            })
    }
}
