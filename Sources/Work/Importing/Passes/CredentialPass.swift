import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// Uses the credentials that an environment has for the server of a request in place of those of the source.
struct CredentialPass {
    let existing: ExistingEnvironment
    /// Begins the names of variables for new secrets.
    let prefix: String

    func apply(to requests: inout [ImportedRequest], _ notes: inout [ConversionNote]) {
        for index in requests.indices where existing.isServer(of: requests[index]) {
            let found = takeCredentials(of: &requests[index])
            if found.isEmpty { continue }
            notes.append(
                ConversionNote(
                    .remark, "the environment has credentials of its own, which take the place of these",
                    found.joined(separator: ", "), at: requests[index].place))
        }
    }

    /// Replaces what the environment has by its own, and returns the names of the headers.
    private func takeCredentials(of request: inout ImportedRequest) -> [String] {
        let names = Set(existing.credentialHeaders.map { $0.lowercased() })
        var found: [String] = []
        request.headers = request.headers.compactMap { header in
            // A variable is the user's choice.
            guard case .string(let value) = header.value, !value.contains("{{"), LikelySecret.isHeader(header.name),
                header.name.lowercased() != "authorization"
            else { return header }
            if names.contains(header.name.lowercased()) {
                found.append(header.name)
                return nil
            }
            guard let secret = secret(header.name) else { return header }
            found.append(header.name)
            return OrderedJSON.Member(header.name, secret)
        }
        request.moveAuthorization()
        if case .stated(let auth) = request.auth, !auth.compact.contains("{{"), let own = credentials(like: auth) {
            request.auth = own
            found.append("Authorization")
        }
        return found
    }

    /// The environment's credentials of the same kind; nil if it has none.
    private func credentials(like auth: OrderedJSON) -> ImportedRequest.Auth? {
        guard let kind = auth.objectMembers?.first?.name, ["bearer", "basic", "digest"].contains(kind) else {
            return nil
        }
        if kind == existing.authKind { return .inherited }
        if existing.hasAuth { return nil }
        if kind == "bearer" { return secret("token").map { .stated(AuthJSON.bearer($0)) } }
        guard let user = secret("user"), let password = secret("password") else { return nil }
        return .stated(AuthJSON.account(kind, user: user, password: password))
    }

    /// The environment's secret of this name, unless it would come from the variable of a new one.
    private func secret(_ name: String) -> OrderedJSON? {
        let name = Words.camel(name)
        guard let variable = existing.secrets[name], variable != SecretPass.variable(for: name, prefix: prefix) else {
            return nil
        }
        return .string("{{secret.\(name)}}")
    }
}
