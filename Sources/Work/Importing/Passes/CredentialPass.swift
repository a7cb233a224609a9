import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// Replaces credentials of the source by the credentials that the environment has for the server of a request.
struct CredentialPass {
    let plan: CredentialPlan
    /// The prefix of the names of the environment variables that hold new secrets.
    let prefix: String

    func apply(to requests: inout [ImportedRequest], _ notes: inout [ConversionNote]) {
        guard let existing = plan.environment else { return }
        for index in requests.indices where plan.isServer(of: requests[index]) {
            let found = takeCredentials(of: &requests[index], existing)
            if found.isEmpty { continue }
            notes.append(
                ConversionNote(
                    .remark, "the environment has its own credentials, which replace the imported ones",
                    found.joined(separator: ", "), at: requests[index].place))
        }
    }

    /// Removes or replaces the credentials that are also in the environment. Returns the names of the headers with these
    /// credentials.
    private func takeCredentials(of request: inout ImportedRequest, _ existing: ExistingEnvironment) -> [String] {
        let names = Set(existing.credentialHeaders.map { $0.lowercased() })
        var found: [String] = []
        request.headers = request.headers.compactMap { header in
            // A header with a variable is kept: the user has chosen the variable.
            guard case .string(let value) = header.value, !value.contains("{{"), LikelySecret.isHeader(header.name),
                header.name.lowercased() != "authorization"
            else { return header }
            if names.contains(header.name.lowercased()) {
                found.append(header.name)
                return nil
            }
            guard let secret = secret(header.name, existing) else { return header }
            found.append(header.name)
            return OrderedJSON.Member(header.name, .string(secret))
        }
        request.moveAuthorization()
        if let own = credentials(like: request.auth, existing) {
            request.auth = own
            found.append("Authorization")
        }
        return found
    }

    /// The environment's credentials of the same kind as `auth`; nil if the environment has no such credentials. Credentials with a
    /// variable are kept: the user has chosen the variable.
    private func credentials(like auth: ImportedAuth, _ existing: ExistingEnvironment) -> ImportedAuth? {
        switch auth {
        case .bearer(let token) where !token.contains("{{"):
            if existing.authKind == "bearer" { return .inherited }
            return existing.hasAuth ? nil : secret("token", existing).map { .bearer($0) }
        case .account(let kind, let user, let password) where kind != .any && !(user + password).contains("{{"):
            if existing.authKind == kind.rawValue { return .inherited }
            guard !existing.hasAuth, let user = secret("user", existing), let password = secret("password", existing)
            else { return nil }
            return .account(kind, user: user, password: password)
        case .inherited, .none, .bearer, .account, .apiKey, .other: return nil
        }
    }

    /// The placeholder for the environment's secret with this name. Nil if there is no such secret, or if a new secret would be
    /// read from the same process variable.
    private func secret(_ name: String, _ existing: ExistingEnvironment) -> String? {
        let name = Words.camel(name)
        guard let variable = existing.ownSecret(name), variable != SecretPass.variable(for: name, prefix: prefix) else {
            return nil
        }
        return "{{secret.\(name)}}"
    }
}
