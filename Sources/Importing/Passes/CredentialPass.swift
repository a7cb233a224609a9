import SourceText

/// Leaves credentials to the environment where it has its own for the server of a request.
struct CredentialPass {
    let existing: ExistingEnvironment

    func apply(to requests: inout [ImportedRequest], _ notes: inout [ImportNote]) {
        for index in requests.indices where isAtServer(requests[index]) {
            let found = takeCredentials(of: &requests[index])
            if found.isEmpty { continue }
            requests[index].stated?.inherited.formUnion(found.map { $0.lowercased() })
            notes.append(
                ImportNote(
                    .remark, "the environment has credentials of its own, which take the place of these",
                    found.joined(separator: ", "), at: requests[index].place))
        }
    }

    private func isAtServer(_ request: ImportedRequest) -> Bool {
        guard let server = existing.baseURL, let base = request.base else { return false }
        let url = base + request.path
        return url.hasPrefix(server) && (url.count == server.count || url.dropFirst(server.count).hasPrefix("/"))
    }

    /// Removes what the environment says, and returns the names of the headers.
    private func takeCredentials(of request: inout ImportedRequest) -> [String] {
        let names = Set(existing.credentialHeaders.map { $0.lowercased() })
        // A variable is the user's choice.
        var found = request.headers.filter { header in
            guard case .string(let value) = header.value else { return false }
            return names.contains(header.name.lowercased()) && !value.contains("{{")
        }
        request.headers.removeAll { found.contains($0) }
        request.moveAuthorization()
        if case .stated(let auth) = request.auth, let kind = auth.objectMembers?.first?.name,
            kind == existing.authKind, ["bearer", "basic", "digest"].contains(kind), !auth.compact.contains("{{")
        {
            request.auth = .inherited
            found.append(OrderedJSON.Member("Authorization", .null))
        }
        return found.map(\.name)
    }
}
