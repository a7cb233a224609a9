import ReqcliDefinitions
import ReqcliText

/// How a collection has its requests sent: `protocolProfileBehavior` of a request and of what is around it.
struct PostmanBehavior {
    /// The nearest one first.
    private let layers: [JSONValue]

    init(_ layers: [JSONValue]) { self.layers = layers }

    /// What a request says about redirects.
    struct Redirects {
        let isFollowing: Bool
        /// The keys of `redirects` besides `follow`.
        let others: [OrderedJSON.Member]
    }

    private func value(_ key: String) -> JSONValue? { layers.lazy.compactMap { $0[key] }.first }

    /// Whether a body goes with every method.
    var keepsBodies: Bool { value("disableBodyPruning")?.bool ?? false }

    /// - Parameter isExported: Whether `export` has written the collection: requests of this program follow no redirects by default.
    func redirects(isExported: Bool) -> Redirects {
        let most = value("maxRedirects").flatMap { Int($0.numberText) }.flatMap { (1...100).contains($0) ? $0 : nil }
        let keepsCredentials = value("followAuthorizationHeader")?.bool == true
        return Redirects(
            isFollowing: value("followRedirects")?.bool ?? !isExported,
            others: OrderedJSON.object([
                "max": most.map { .int($0) }, "credentials": keepsCredentials ? "anyHost" : nil,
            ]).objectMembers ?? [])
    }

    private static let known: Set = [
        "disableBodyPruning", "followRedirects", "maxRedirects", "followAuthorizationHeader",
    ]

    /// Notes about all else that a collection says, once for each place.
    func lost(noted: inout Set<String>) -> [ConversionNote] {
        layers.flatMap { Array($0.members) }.compactMap { member in
            guard !Self.known.contains(member.name), noted.insert(member.key.place.description).inserted else {
                return nil
            }
            return ConversionNote(
                .lost, "a setting of how requests are sent is not carried over", member.name, at: member.key.place)
        }
    }

    /// Lets the environments follow redirects if a request does, and the requests that don't say so.
    static func apply(_ redirects: [Redirects], to api: inout ImportedAPI) {
        let isUsual = !api.isExported && redirects.contains(where: \.isFollowing)
        for (index, redirects) in zip(api.requests.indices, redirects) {
            let follow = redirects.isFollowing == isUsual ? [] : [OrderedJSON.Member("follow", .bool(!isUsual))]
            let members = follow + (redirects.isFollowing ? redirects.others : [])
            if !members.isEmpty { api.requests[index].settings.append(.init("redirects", .object(members))) }
        }
        guard isUsual else { return }
        for index in api.environments.indices {
            api.environments[index].settings.append(.init("redirects", .object(["follow": true])))
        }
    }
}
