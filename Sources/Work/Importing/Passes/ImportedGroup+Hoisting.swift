import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// A group of endpoints, with the content of its file.
package struct ImportedGroup: Sendable {
    package let id: String
    package var description: String?
    package var defaults: [OrderedJSON.Member] = []
    /// The names and definitions of the endpoints.
    package var endpoints: [OrderedJSON.Member]
    /// The place of each endpoint in the source.
    package var places: [Place]
}

extension ImportedGroup {
    /// Moves headers, query items and whole settings that all endpoints have in common to the defaults.
    ///
    /// - Parameter keepsOrder: Whether the order of headers and query items must not change. If so, only headers and items that
    ///   are first in every endpoint are moved.
    mutating func hoist(keepsOrder: Bool) {
        guard endpoints.count > 1, let first = endpoints.first?.value.objectMembers else { return }
        for key in ["auth", "expect", "needs"] + RequestLayer.carryingKeys {
            // Keeps `expect` in the endpoints if one of them may change something on a server. With an expectation only in the
            // defaults, such an endpoint would not be a case of `check`.
            if key == "expect", endpoints.contains(where: { !$0.value.isSafe }) { continue }
            guard let member = first.first(where: { $0.name == key }), isShared(member) else { continue }
            defaults.append(member)
            endpoints = endpoints.map { $0.removing { $0 == member } }
        }
        for key in ["query", "headers"] {
            guard case .object(let members)? = first.first(where: { $0.name == key })?.value else { continue }
            let shared = keepsOrder ? sharedStart(of: members, key) : members.filter { isShared($0, key) }
            if shared.isEmpty { continue }
            defaults.insert(OrderedJSON.Member(key, .object(shared)), at: 0)
            endpoints = endpoints.map { $0.removing(from: key) { shared.contains($0) } }
        }
    }

    /// Whether all endpoints have a header or a query item. The type of a body stays with its body, which otherwise sets the type.
    private func isShared(_ member: OrderedJSON.Member, _ key: String) -> Bool {
        !(key == "headers" && member.name.lowercased() == "content-type") && !member.value.hasPlaceholder
            && endpoints.allSatisfy { $0.value.object(key)?.contains(member) == true }
    }

    private func sharedStart(of members: [OrderedJSON.Member], _ key: String) -> [OrderedJSON.Member] {
        let all = endpoints.map { $0.value.object(key) ?? [] }
        return Array(
            members.enumerated().prefix { index, member in
                member.name.lowercased() != "content-type" && !member.value.hasPlaceholder
                    && all.allSatisfy { $0.indices.contains(index) && $0[index] == member }
            }.map(\.element))
    }

    private func isShared(_ member: OrderedJSON.Member) -> Bool {
        endpoints.allSatisfy { $0.value.objectMembers?.contains(member) == true }
    }
}

extension [ImportedGroup] {
    private static let hoisted = Set(["headers", "auth"] + RequestLayer.carryingKeys)

    /// Finds the members that the defaults of all groups share and that an environment may have. Removes these members from the
    /// groups, and returns them. The values must be equal, including the order in objects.
    mutating func hoistToEnvironment(where isAllowed: (OrderedJSON.Member) -> Bool) -> [OrderedJSON.Member] {
        guard count > 1, let first = self.first?.defaults else { return [] }
        var shared: [OrderedJSON.Member] = []
        for member in first where Self.hoisted.contains(member.name) && member.value != .null && isAllowed(member) {
            guard allSatisfy({ $0.defaults.contains(member) }) else { continue }
            shared.append(member)
            for index in indices { self[index].defaults.removeAll { $0 == member } }
        }
        return shared
    }
}

extension OrderedJSON {
    func object(_ key: String) -> [Member]? { objectMembers?.first { $0.name == key }?.value.objectMembers }

    /// Whether an endpoint only reads.
    fileprivate var isSafe: Bool {
        let member = objectMembers?.first { $0.name == "method" }
        guard case .string(let method)? = member?.value else { return true }
        return HTTPMethod.isSafe(method)
    }

    fileprivate var hasPlaceholder: Bool {
        switch self {
        // A placeholder for a secret has the same value in all endpoints. A placeholder for a param may have different values.
        case .string(let text): TemplateText(text).placeholders.contains { !$0.hasPrefix("secret.") }
        case .array(let elements): elements.contains(where: \.hasPlaceholder)
        case .object(let members): members.contains { $0.value.hasPlaceholder }
        case .null, .bool, .number: false
        }
    }
}

extension OrderedJSON.Member {
    fileprivate func removing(_ isRemoved: (OrderedJSON.Member) -> Bool) -> OrderedJSON.Member {
        OrderedJSON.Member(name, .object((value.objectMembers ?? []).filter { !isRemoved($0) }))
    }

    /// The endpoint without some members of the object at a key. If no member is left, the object itself is removed, too.
    fileprivate func removing(
        from key: String, _ isRemoved: (OrderedJSON.Member) -> Bool
    ) -> OrderedJSON.Member {
        let members = (value.objectMembers ?? []).compactMap { member -> OrderedJSON.Member? in
            guard member.name == key else { return member }
            let rest = (member.value.objectMembers ?? []).filter { !isRemoved($0) }
            return rest.isEmpty ? nil : OrderedJSON.Member(key, .object(rest))
        }
        return OrderedJSON.Member(name, .object(members))
    }
}
