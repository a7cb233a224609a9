import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliText
@_spi(Generated) import RequestBuilding

/// A place that a token may be sent to: a server, and the way there.
struct TokenPlace: Hashable, Sendable {
    /// The server that the token is for; nil for the OAuth server itself.
    let origin: String?
    let way: TokenWay

    /// The place for a person: `https://api.example.com through the proxy http://proxy.example.com:3128`.
    var phrase: String { (origin ?? "") + way.phrase }
}

/// The way to a server, as files give it. Whoever chooses the proxy or the trusted certificates can read what is sent.
///
/// Flags and environment variables are the user's own, so that they are not part of it.
struct TokenWay: Hashable, Sendable {
    enum Part: String, CaseIterable, Sendable {
        case proxy, noProxy, authorities, insecure

        fileprivate var setting: String {
            switch self {
            case .proxy: TransferSetting.proxy.name
            case .noProxy: TransferSetting.noProxy.name
            case .authorities: TransferSetting.authorities.name
            case .insecure: TransferSetting.isInsecure.name
            }
        }
    }

    private(set) var parts: [Part: String] = [:]
    /// The parts that flags replace, so that it doesn't matter how the files give them.
    private(set) var replaced: Set<Part> = []

    init(_ parts: [Part: String] = [:]) { self.parts = parts }

    init(of assembled: AssembledRequest) {
        let transfer = assembled.request.transfer
        let proxies = [transfer.proxies.http, transfer.proxies.https].compactMap { $0.map(Self.withoutAccount) }
        if !proxies.isEmpty { parts[.proxy] = Set(proxies).sorted().joined(separator: " and ") }
        parts[.noProxy] = transfer.proxies.exceptions
        parts[.authorities] = transfer.tls.authorities
        if transfer.tls.isInsecure { parts[.insecure] = "true" }
        guard !parts.isEmpty || !assembled.call.overrides.isEmpty else { return }
        let given = assembled.builder.history().filter { $0.standing.last?.origin?.flag != nil }.map(\.subject)
        for part in Part.allCases where given.contains(.setting(part.setting)) {
            parts[part] = nil
            replaced.insert(part)
        }
    }

    /// Whether a request that takes this way only does what was agreed to.
    func fits(_ agreed: TokenWay) -> Bool {
        Part.allCases.allSatisfy { replaced.contains($0) || parts[$0] == agreed.parts[$0] }
    }

    /// The way for a person, after the name of a server; empty for the usual way.
    var phrase: String {
        let proxy = parts[.proxy].map { $0.isEmpty ? " without a proxy" : " through the proxy \($0)" } ?? ""
        let exceptions = parts[.noProxy].map { " with \"noProxy\" \($0.isEmpty ? "empty" : $0)" } ?? ""
        let authorities = parts[.authorities].map { " trusting the certificates in \($0)" } ?? ""
        return proxy + exceptions + authorities + (parts[.insecure] == nil ? "" : " without checking certificates")
    }

    private static func withoutAccount(_ proxy: String) -> String {
        if proxy.isEmpty { return "" }
        var url = URLComponents(string: proxy.contains("://") ? proxy : "http://\(proxy)")
        url?.user = nil
        url?.password = nil
        // A URL that can't be read is compared, but not shown: it could have a password.
        return url?.string ?? SHA256.hash(Array(proxy.utf8)).hex
    }
}

extension TokenPlace {
    init(_ json: JSONValue) {
        origin = json["origin"]?.string
        let parts = TokenWay.Part.allCases.compactMap { part in json[part.rawValue]?.string.map { (part, $0) } }
        way = TokenWay(Dictionary(uniqueKeysWithValues: parts))
    }

    var json: OrderedJSON {
        var members: [OrderedJSON.Member] = origin.map { [OrderedJSON.Member("origin", .string($0))] } ?? []
        for part in TokenWay.Part.allCases {
            if let text = way.parts[part] { members.append(OrderedJSON.Member(part.rawValue, .string(text))) }
        }
        return .object(members)
    }
}
