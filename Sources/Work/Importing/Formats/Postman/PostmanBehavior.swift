import ReqcliDefinitions
import ReqcliText

/// The settings with which a request is sent: `protocolProfileBehavior` of the request and of the folders and the collection
/// around it.
struct PostmanBehavior {
    /// The settings, with the nearest ones first.
    private let layers: [JSONValue]

    init(_ layers: [JSONValue]) { self.layers = layers }

    /// The settings of a request for redirects.
    struct Redirects {
        let isFollowing: Bool
        /// The keys of `redirects` other than `follow`.
        let others: [OrderedJSON.Member]
    }

    private func value(_ key: String) -> JSONValue? { layers.lazy.compactMap { $0[key] }.first }

    /// Whether a body is sent with every method.
    var keepsBodies: Bool { value("disableBodyPruning")?.bool ?? false }

    /// The settings for redirects. Postman follows redirects unless the collection states otherwise.
    var redirects: Redirects {
        let most = value("maxRedirects").flatMap { Int($0.numberText) }.flatMap { (1...100).contains($0) ? $0 : nil }
        let keepsCredentials = value("followAuthorizationHeader")?.bool == true
        return Redirects(
            isFollowing: value("followRedirects")?.bool ?? true,
            others: OrderedJSON.object([
                "max": most.map { .int($0) }, "credentials": keepsCredentials ? "anyHost" : nil,
            ]).objectMembers ?? [])
    }

    private static let known: Set = [
        "disableBodyPruning", "followRedirects", "maxRedirects", "followAuthorizationHeader",
    ]

    /// Notes about all other settings, once for each place.
    func lost(noted: inout Set<String>) -> [ConversionNote] {
        layers.flatMap { Array($0.members) }.compactMap { member in
            guard !Self.known.contains(member.name), noted.insert(member.key.place.description).inserted else {
                return nil
            }
            return ConversionNote(
                .lost, "a setting of how requests are sent is not carried over", member.name, at: member.key.place)
        }
    }

    /// Adds the settings for redirects. If any request follows redirects, the environments follow them, and requests that don't
    /// follow them state it.
    static func apply(_ redirects: [Redirects], to api: inout ImportedAPI) {
        let isUsual = redirects.contains(where: \.isFollowing)
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
