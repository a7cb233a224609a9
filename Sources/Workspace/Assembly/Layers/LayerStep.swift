package import ReqcliDefinitions
package import ReqcliText
@_spi(Generated) package import RequestBuilding

/// One change that a layer makes to a request, before any value is known. The steps of all layers, in their order, are the request:
/// `LayerMerge` makes operators of them, and the generator of Swift prints them.
package struct LayerStep: Sendable {
    package let change: Change
    package let place: Place

    /// A part that a layer sets. Nil means that the file has `null` in place of the value.
    package enum Change: Sendable {
        case method(String)
        case path(PathTemplate?)
        case body(Body?)
        case baseURL(TextTemplate?)
        case scheme(Scheme?)
        case host(TextTemplate?)
        case port(ValueTemplate?)
        case basePath(TextTemplate?)
        case credentials(Credentials)
        case transfer(TransferLayer.Entry)
        case cachePolicy(CachePolicy)
        case proxy(ProxyTemplate?)
        case noProxy([ValueTemplate])
        /// A shared header belongs to an environment or a group, and so applies to many different requests.
        case header(String, [ValueTemplate]?, isShared: Bool)
        /// A header that follows from another setting.
        case impliedHeader(String, String)
        case queryItem(String, [ValueTemplate]?)
        /// The whole query, which replaces all items.
        case query(TextTemplate?)
        /// Removes what an earlier `auth` or `cachePolicy` has set, if it is in another part of the request.
        case removal(Carrier?)
        /// Adds the query item of `auth` again, which the whole query has replaced.
        case queryKey(String?)
    }
}

extension EndpointLayer {
    /// Visits the steps of an endpoint for all environments, or for one environment.
    package func steps(_ carriers: inout Carriers, _ visit: (LayerStep) -> Void) {
        func add(_ change: LayerStep.Change, at place: Place) { visit(LayerStep(change: change, place: place)) }
        if let method { add(.method(method.value), at: method.place) }
        if let path { add(.path(path.set), at: path.place) }
        // The body comes before the headers, so that an explicit Content-Type wins over the Content-Type that the body implies.
        if let setting = body {
            add(.body(setting.set), at: setting.set?.place ?? setting.place)
            if let body = setting.set, body.isGraphQL {
                // The media types of GraphQL over HTTP. `application/json` is the older type. A response of this type doesn't show
                // whether an error comes from the server or from a proxy.
                let types = "application/graphql-response+json, application/json;q=0.9"
                add(.impliedHeader("Accept", types), at: body.place)
            }
        }
        layer.steps(isShared: false, &carriers, visit)
    }
}

extension RequestLayer {
    /// Visits the steps of server, auth, transfer, headers and query. A header that is written explicitly comes after the headers
    /// that settings of the same layer imply, so the explicit header wins.
    ///
    /// - Parameter carriers: The parts that `auth` and `cachePolicy` of the layers so far have set.
    package func steps(isShared: Bool, _ carriers: inout Carriers, _ visit: (LayerStep) -> Void) {
        func add(_ change: LayerStep.Change, at place: Place) { visit(LayerStep(change: change, place: place)) }
        if let baseURL { add(.baseURL(baseURL.set), at: baseURL.place) }
        if let scheme { add(.scheme(scheme.set), at: scheme.place) }
        if let host { add(.host(host.set), at: host.place) }
        if let port { add(.port(port.set), at: port.place) }
        if let basePath { add(.basePath(basePath.set), at: basePath.place) }
        if let auth {
            let credentials = auth.set?.credentials
            add(.removal(carriers.change(\.auth, to: credentials?.carrier)), at: auth.place)
            if let credentials { add(.credentials(credentials), at: auth.place) }
        }
        for entry in transferEntries { add(.transfer(entry), at: entry.place) }
        if let cachePolicy {
            let policy = cachePolicy.set ?? .useProtocolCachePolicy
            let header = policy.requestHeader
            add(.cachePolicy(policy), at: cachePolicy.place)
            add(.removal(carriers.change(\.cachePolicy, to: header.map { .header($0.name) })), at: cachePolicy.place)
            if let header { add(.impliedHeader(header.name, header.value), at: cachePolicy.place) }
        }
        if let proxy { add(.proxy(proxy.set), at: proxy.place) }
        if let noProxy { add(.noProxy(noProxy.set ?? []), at: noProxy.place) }
        for header in headers {
            carriers.release(.header(header.name))
            add(.header(header.name, header.value.set, isShared: isShared), at: header.namePlace)
        }
        guard let query else { return }
        var template: TextTemplate?
        switch query.set {
        case .items(let items):
            for item in items {
                carriers.release(.queryItem(item.name))
                add(.queryItem(item.name, item.value.set), at: item.namePlace)
            }
            return
        case .text(let text): template = text
        case nil: break
        }
        add(.query(template), at: query.place)
        let key: String? = if case .queryItem(let name)? = carriers.auth { name } else { nil }
        add(.queryKey(key), at: query.place)
    }
}

extension CachePolicy {
    /// The header that tells the server or a proxy about the policy.
    fileprivate var requestHeader: (name: String, value: String)? {
        switch self {
        case .reloadIgnoringLocalAndRemoteCacheData: ("Cache-Control", "no-cache")
        case .reloadRevalidatingCacheData: ("Cache-Control", "max-age=0")
        default: nil
        }
    }
}

/// The part of the request that a setting such as `auth` has changed: a header, a query item or an account. The part is removed
/// when a later layer changes the setting.
package enum Carrier: Sendable, Hashable {
    case header(String)
    case queryItem(String)
    case digest
    case any
    case signature

    package var subject: RequestSubject {
        switch self {
        case .header(let name): .header(name)
        case .queryItem(let name): .queryItem(name)
        case .digest: .setting(TransferSetting.digestAccount.name)
        case .any: .setting(TransferSetting.anyAccount.name)
        case .signature: .signature
        }
    }
}

extension Credentials {
    /// The part of the request that has the credentials.
    package var carrier: Carrier {
        switch self {
        case .bearer, .basic, .oauth2: .header("Authorization")
        case .digest: .digest
        case .any: .any
        case .apiKey(.header, let name, _): .header(name.value)
        case .apiKey(.query, let name, _): .queryItem(name.value)
        case .signature: .signature
        }
    }
}

/// The parts of the request that the last `auth` and the last `cachePolicy` have set.
package struct Carriers: Sendable {
    package var auth: Carrier?
    package var cachePolicy: Carrier?

    package init() {}

    /// Forgets a part that a layer sets directly, such as the header `Authorization`, so that a later `auth` or `cachePolicy`
    /// doesn't remove this part.
    mutating func release(_ subject: RequestSubject) {
        if auth?.subject == subject { auth = nil }
        if cachePolicy?.subject == subject { cachePolicy = nil }
    }

    /// Records which part of the request now carries a setting; `next` is nil if no part does. If another part carried the
    /// setting before, returns that part, which must be removed.
    mutating func change(_ setting: WritableKeyPath<Carriers, Carrier?>, to next: Carrier?) -> Carrier? {
        defer { self[keyPath: setting] = next }
        return self[keyPath: setting].flatMap { $0.subject == next?.subject ? nil : $0 }
    }
}
