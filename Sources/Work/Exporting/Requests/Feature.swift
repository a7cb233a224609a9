import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// A part of the definitions that not every format can express.
enum Feature: String, CaseIterable {
    case timeout = "timeouts"
    case retry = "retries"
    case redirects
    case tls = "TLS settings"
    case proxy = "proxies"
    case connection = "settings of the connection"
    case hmac = "HMAC signatures"
    case aws = "signatures of AWS"
    case jwt = "JSON Web Tokens"
    /// The format has a variable for the token instead.
    case oauth = "logins with OAuth 2"
    /// A client that gets tokens from a token URL, with its own secret or after a login in a browser.
    case oauthClient = "clients of OAuth 2"
    case needs
    case captures
    case pages
    case checks
    case environments = "settings of endpoints for other environments"
    case policy = "policies"
    case headers = "conditions on headers"
    case maxTime = "conditions with \"maxTime\""
    case body = "conditions on the text of the body"
    case json = "conditions on JSON values"
    /// Conditions on the type of a value, at a path that ``MemberPath`` can express.
    case types = "conditions on JSON types"
    case schema = "conditions with \"schema\""
    case openAPI = "conditions with \"openapi\""
    case events = "conditions with \"events\""
    case snapshot = "snapshots"

    /// The consequence if a format can't express the feature, as the end of a note; empty if the note says enough.
    fileprivate var consequence: String {
        switch self {
        case .hmac, .aws, .jwt: ", so the requests are sent unsigned"
        default: ""
        }
    }
}

extension ExportSource {
    /// Notes about everything in the exported endpoints and environments that a format can't express.
    func lostFeatures(except carried: Set<Feature>) -> [ConversionNote] {
        var notes: [ConversionNote] = []
        func add(_ found: [(Feature, Place)], _ name: String) {
            for (feature, place) in found where !carried.contains(feature) {
                notes.append(
                    ConversionNote(
                        .lost, "\(feature.rawValue) are not converted\(feature.consequence)", name, at: place))
            }
        }
        var groups: Set<String> = []
        for endpoint in endpoints {
            add(endpoint.features(besides: environment.name), endpoint.id)
            if let defaults = endpoint.defaults, let group = endpoint.group, groups.insert(group).inserted {
                add(defaults.layer.features, group)
            }
        }
        if !carried.contains(.environments) {
            let auth = environment.auth?.set?.source()
            for chain in environments where chain.name != environment.name {
                guard let other = chain.auth, other.set?.source() != auth else { continue }
                notes.append(
                    ConversionNote(
                        .lost, "the auth of another environment is not converted", chain.name, at: other.place))
            }
        }
        for layer in environment.layers {
            add(layer.layer.features + (layer.policy.map { [(.policy, $0.place)] } ?? []), layer.name)
        }
        return notes
    }
}

extension RequestLayer {
    fileprivate var features: [(Feature, Place)] {
        [
            timeout.map { (.timeout, $0.place) }, retry.map { (.retry, $0.place) },
            redirects.map { (.redirects, $0.place) }, tls.map { (.tls, $0.place) }, proxy.map { (.proxy, $0.place) },
            auth.flatMap { auth in auth.set?.feature.map { ($0, auth.place) } },
        ].compactMap(\.self) + transfer.entries.map { (.connection, $0.place) }
    }
}

extension Auth {
    /// The kind of signature or login, which only few formats can express.
    fileprivate var feature: Feature? {
        switch credentials {
        case .signature(.hmac): .hmac
        case .signature(.aws): .aws
        case .signature(.jwt): .jwt
        case .oauth2(let template): template[.tokenURL] == nil || template.flow == .deviceCode ? .oauth : .oauthClient
        case .bearer, .basic, .digest, .any, .apiKey: nil
        }
    }
}

extension LocatedEndpoint {
    fileprivate func features(besides environment: String) -> [(Feature, Place)] {
        var found = definition.request.layer.features
        if let overlay = definition.environments[named: environment] { found += overlay.layer.features }
        found += needs.map { (.needs, $0.namePlace) }
        found += definition.captures.map { (.captures, $0.namePlace) }
        found += definition.checks.compactMap { check in check.name.map { (.checks, $0.place) } }
        found += definition.environments.filter { $0.name != environment }.map { (.environments, $0.namePlace) }
        if definition.pages != nil { found.append((.pages, definition.place)) }
        return found + (expectation(in: environment)?.parts ?? []).map { ($0.feature, $0.place) }
    }

    /// The id without its last word; nil for an id of one word.
    var folder: String? { id.lastIndex(of: ".").map { String(id[..<$0]) } }
}
