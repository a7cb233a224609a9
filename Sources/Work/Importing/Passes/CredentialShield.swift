import ReqcliText

/// Keeps the credentials of environments and of a group's defaults away from a server that a source names.
struct CredentialShield {
    private let hasAuth: Bool
    private let headers: [String]
    private let queryItems: [String]

    /// A shield for the credentials of all environments of the workspace, since an endpoint can be sent in any environment.
    /// `auth` is always removed, since an environment may get `auth` later.
    init(_ target: ImportTarget) {
        let environments = target.allExisting
        hasAuth = true
        headers = environments.flatMap(\.credentialHeaders).withoutRepetitions { $0.lowercased() }
        queryItems = environments.flatMap(\.secretQueryItems).withoutRepetitions { $0 }
    }

    init(hasAuth: Bool, headers: [String], queryItems: [String]) {
        self.hasAuth = hasAuth
        self.headers = headers
        self.queryItems = queryItems
    }

    /// Removes the credentials of earlier layers from an endpoint, or from defaults, with a `baseURL`. A definition without
    /// `baseURL` is returned unchanged.
    func covering(_ definition: OrderedJSON) -> OrderedJSON {
        guard case .object(var members) = definition, members.contains(where: { $0.name == "baseURL" }) else {
            return definition
        }
        if hasAuth, !members.contains(where: { $0.name == "auth" }) {
            members.append(OrderedJSON.Member("auth", .null))
        }
        Self.remove(headers, from: "headers", of: &members) { $0.lowercased() }
        Self.remove(queryItems, from: "query", of: &members) { $0 }
        return .object(members)
    }

    /// Sets names to null in the object at a key, except names that the object already has.
    private static func remove(
        _ names: [String], from key: String, of members: inout [OrderedJSON.Member], comparing form: (String) -> String
    ) {
        if names.isEmpty { return }
        let removed = names.map { OrderedJSON.Member($0, .null) }
        guard let index = members.firstIndex(where: { $0.name == key }) else {
            members.append(OrderedJSON.Member(key, .object(removed)))
            return
        }
        // A query that is a string replaces all items, so there is nothing to remove.
        guard case .object(let own) = members[index].value else { return }
        let known = Set(own.map { form($0.name) })
        members[index] = OrderedJSON.Member(key, .object(own + removed.filter { !known.contains(form($0.name)) }))
    }
}

extension [String] {
    fileprivate func withoutRepetitions(by form: (String) -> String) -> [String] {
        var known: Set<String> = []
        return filter { known.insert(form($0)).inserted }
    }
}
