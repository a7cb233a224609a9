import ReqcliDefinitions
import ReqcliText

/// The settings for sending a request: `protocolProfileBehavior` of the request, of its folders and of the collection.
struct PostmanBehavior {
    /// The settings. The settings of the request itself come first, the settings of the collection last.
    private let layers: [JSONValue]
    /// Whether a body is sent with every method.
    let keepsBodies: Bool
    private let followsRedirects: Bool?

    init(_ layers: [JSONValue]) {
        self.layers = layers
        keepsBodies = layers.lazy.compactMap { $0["disableBodyPruning"] }.first?.bool ?? false
        followsRedirects = nil
    }

    /// The settings of a tool that sends a body with every method.
    init(followsRedirects: Bool) {
        layers = []
        keepsBodies = true
        self.followsRedirects = followsRedirects
    }

    /// The settings of a request for redirects.
    struct Redirects {
        let isFollowing: Bool
        /// The settings other than whether redirects are followed.
        let others: [OrderedJSON.Member]
    }

    private func value(_ key: String) -> JSONValue? { layers.lazy.compactMap { $0[key] }.first }

    /// The settings for redirects. Postman follows redirects unless the collection states otherwise.
    var redirects: Redirects {
        let most = value("maxRedirects").flatMap { Int($0.numberText) }.flatMap { (1...100).contains($0) ? $0 : nil }
        let keepsCredentials = value("followAuthorizationHeader")?.bool == true
        return Redirects(
            isFollowing: followsRedirects ?? value("followRedirects")?.bool ?? true,
            others: .present([
                "redirects.max": most.map { .int($0) },
                "redirects.credentials": keepsCredentials ? "anyHost" : nil,
            ]))
    }

    private static let known: Set = [
        "disableBodyPruning", "followRedirects", "maxRedirects", "followAuthorizationHeader",
    ]

    /// Notes about all settings that can't be converted, one note for each place.
    func lost(noted: inout Set<String>) -> [ConversionNote] {
        layers.flatMap { Array($0.members) }.compactMap { member in
            guard !Self.known.contains(member.name), noted.insert(member.key.place.description).inserted else {
                return nil
            }
            return ConversionNote(
                .lost, "a setting for sending requests is not converted", member.name, at: member.key.place)
        }
    }

    /// Adds the settings for redirects. If at least one request follows redirects, the environments get this setting. Requests
    /// that don't follow redirects then get the opposite setting.
    static func apply(_ redirects: [Redirects], to api: inout ImportedAPI) {
        let isUsual = redirects.contains(where: \.isFollowing)
        for (index, redirects) in zip(api.requests.indices, redirects) {
            if redirects.isFollowing != isUsual {
                api.requests[index].settings.set("redirects.follow", .bool(!isUsual))
            }
            if redirects.isFollowing { api.requests[index].settings += redirects.others }
        }
        guard isUsual else { return }
        for index in api.environments.indices {
            api.environments[index].settings.set("redirects.follow", true)
        }
    }
}
