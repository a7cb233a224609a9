import Foundation
import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

extension LayerMerge {
    /// Adds server, auth, transfer, headers and query of a layer. A header that is written explicitly is added after the headers
    /// that settings of the same layer imply, so the explicit header wins.
    ///
    /// - Parameter isShared: Whether the layer belongs to an environment or a group, and so applies to many different requests.
    mutating func add(_ layer: RequestLayer, isShared: Bool) {
        addServer(layer)
        addAuth(layer.auth)
        addTransfer(layer)
        for header in layer.headers { addHeader(header, isShared: isShared) }
        addQuery(layer.query)
    }

    private mutating func addHeader(_ header: Named<Setting<[ValueTemplate]>>, isShared: Bool) {
        let bodyTie = isShared ? RequestOperator.BodyTie(ofSharedHeader: header.name) : .none
        addValues(header, of: .header(header.name)) { $0.header(header.name, values: $1, bodyTie: bodyTie) }
    }

    private mutating func addQuery(_ setting: Setting<QueryTemplate>?) {
        guard let setting else { return }
        switch setting.set {
        case nil: add(at: setting.place) { $0.rawQuery("") }
        case .items(let items): return items.forEach { addQueryItem($0) }
        case .text(let template):
            add(.query, template.source, at: setting.place) { URLFilling.query(template, &$1).map($0.rawQuery) }
        }
        // A query given as text, or `null`, replaces the query items of earlier layers, but not the query item that `auth` sets.
        if case .queryItem(let name)? = carriers.auth { moveToEnd(.queryItem(name)) }
    }

    private mutating func addQueryItem(_ item: Named<Setting<[ValueTemplate]>>) {
        addValues(item, of: .queryItem(item.name)) { $0.queryItem(item.name, values: $1) }
    }

    private mutating func addValues(
        _ named: Named<Setting<[ValueTemplate]>>, of subject: RequestSubject,
        set: @escaping @Sendable (RequestBuilder, [String]) -> RequestBuilder
    ) {
        carriers.release(subject)
        guard let templates = named.value.set else { return add(at: named.namePlace) { set($0, []) } }
        let written = { @Sendable in templates.map { ValueText.text(of: $0.source) }.joined(separator: ", ") }
        add(subject, written(), at: named.namePlace) { builder, evaluation in
            let values = evaluation.texts(templates)
            if case .value(let texts) = values, case .header(let name) = subject,
                !evaluation.areSendable(texts, templates, in: name)
            {
                return .failed
            }
            return values.map { set(builder, $0) }
        }
    }
}

extension LayerMerge {
    /// Adds the layer of an endpoint for all environments, or for one environment.
    mutating func add(_ endpoint: EndpointLayer) {
        if let method = endpoint.method {
            add(at: method.place) { $0.method(method.value) }
        }
        addPath(endpoint.path)
        // The body is added before the headers, so that an explicit Content-Type wins over the Content-Type that the body
        // implies.
        addBody(endpoint.body)
        add(endpoint.layer, isShared: false)
    }

    private mutating func addPath(_ setting: Setting<PathTemplate>?) {
        guard let setting else { return }
        switch setting.set {
        case nil: add(at: setting.place) { $0.path(written: "") }
        case .text(let template):
            add(.path, template.source, at: setting.place) { URLFilling.path(template, &$1).map($0.path(written:)) }
        case .segments(let templates):
            let written = { @Sendable in templates.map { ValueText.text(of: $0.source) }.joined(separator: "/") }
            add(.path, written(), at: setting.place) {
                URLFilling.path(segments: templates, &$1).map($0.path(written:))
            }
        }
    }

    private mutating func addBody(_ setting: Setting<Body>?) {
        guard let setting else { return }
        guard let body = setting.set else { return add(at: setting.place) { $0.removingBody() } }
        addBody(body.written, ofType: body.contentType, at: body.place) { body.resolve($0, &$1) }
        if body.isGraphQL { addAcceptOfGraphQL(at: body.place) }
    }

    /// Adds a body together with the Content-Type that the body implies.
    mutating func addBody(
        _ written: @autoclosure @escaping @Sendable () -> String, ofType contentType: String, at place: Place? = nil,
        from origin: Origin? = nil, _ change: @escaping Change
    ) {
        let type = Part(.contentType, bodyTie: .implied) { contentType }
        add([Part(.body, written: written), type], at: place, from: origin, change)
    }

    /// Adds the media types of GraphQL over HTTP. `application/json` is the older type. A response of this type doesn't show
    /// whether an error comes from the server or from a proxy.
    private mutating func addAcceptOfGraphQL(at place: Place) {
        add(at: place) { $0.header("Accept", "application/graphql-response+json, application/json;q=0.9") }
    }
}

extension LayerMerge {
    mutating func addServer(_ layer: RequestLayer) {
        addBaseURL(layer.baseURL)
        addScheme(layer.scheme)
        addHost(layer.host)
        addPort(layer.port)
        addBasePath(layer.basePath)
    }

    private mutating func addBaseURL(_ setting: Setting<TextTemplate>?) {
        guard let setting else { return }
        guard let template = setting.set else {
            return add(at: setting.place) { $0.removingScheme().removingHost().port(nil).basePath("") }
        }
        let parts = RequestSubject.server.map { subject in Part(subject) { template.source } }
        add(parts, at: setting.place) { URLFilling.baseURL(template, &$1).map($0.baseURL) }
    }

    private mutating func addScheme(_ setting: Setting<Scheme>?) {
        guard let setting else { return }
        add(at: setting.place) { builder in
            setting.set.map { builder.scheme($0.rawValue) } ?? builder.removingScheme()
        }
    }

    private mutating func addHost(_ setting: Setting<TextTemplate>?) {
        guard let setting else { return }
        guard let template = setting.set else { return add(at: setting.place) { $0.removingHost() } }
        add(.host, template.source, at: setting.place) { $1.text(template).map($0.host) }
    }

    private mutating func addPort(_ setting: Setting<ValueTemplate>?) {
        guard let setting else { return }
        guard let template = setting.set else { return add(at: setting.place) { $0.port(nil) } }
        add(.port, ValueText.text(of: template.source), at: setting.place) { builder, evaluation in
            switch evaluation.text(template) {
            case .failed: return .failed
            case .absent: return .absent
            case .value(let text):
                if let port = Int(text), (1...65535).contains(port) { return .value(builder.port(port)) }
                evaluation.report(
                    .valueInvalid, "\"port\" takes a port from 1 to 65535; found \(text.quoted)", at: template.place)
                return .failed
            }
        }
    }

    private mutating func addBasePath(_ setting: Setting<TextTemplate>?) {
        guard let setting else { return }
        guard let template = setting.set, !template.pieces.isEmpty else {
            return add(at: setting.place) { $0.basePath("") }
        }
        add(.basePath, template.source, at: setting.place) { URLFilling.path(template, &$1).map($0.basePath) }
    }
}

extension RequestSubject {
    /// The parts of a request that a base URL sets together.
    static let server: [RequestSubject] = [.scheme, .host, .port, .basePath]
}

extension RequestSubject {
    /// The header that a body implies.
    static let contentType = RequestSubject.header("Content-Type")
}

// The library has no operators that remove these two parts.
extension RequestBuilder {
    fileprivate func removingScheme() -> RequestBuilder { removing(.scheme) { $0.scheme = nil } }

    fileprivate func removingHost() -> RequestBuilder { removing(.host) { $0.host = nil } }

    private func removing(
        _ subject: RequestSubject, _ change: @escaping @Sendable (inout URLComponents) -> Void
    ) -> RequestBuilder {
        modifyURLComponents("removing", subject: subject, effect: .removes) { change(&$0) }
    }
}
