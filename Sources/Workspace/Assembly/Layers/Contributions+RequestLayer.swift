import Foundation
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension Contributions {
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
        addValues(header, subject: .header(header.name)) {
            $0.header(header.name, values: $1, bodyTie: bodyTie)
        }
    }

    private mutating func addQuery(_ setting: Setting<QueryTemplate>?) {
        guard let setting else { return }
        switch setting.set {
        case nil: add([removal(of: .query)], at: setting.place) { $0.rawQuery("") }
        case .items(let items): return items.forEach { addQueryItem($0) }
        case .text(let template):
            add([part(.query, template.source)], at: setting.place) { evaluation in
                URLFilling.query(template, &evaluation).map { text in { $0.rawQuery(text) } }
            }
        }
        // A query given as text, or `null`, replaces the query items of earlier layers, but not the query item that `auth` sets.
        if case .queryItem? = carriers.auth { moveToEnd(carriers.auth?.subject) }
    }

    private mutating func addQueryItem(_ item: Named<Setting<[ValueTemplate]>>) {
        addValues(item, subject: .queryItem(item.name)) { $0.queryItem(item.name, values: $1) }
    }

    private mutating func addValues(
        _ named: Named<Setting<[ValueTemplate]>>, subject: RequestSubject,
        set: @escaping @Sendable (RequestBuilder, [String]) -> RequestBuilder
    ) {
        carriers.release(subject)
        guard let templates = named.value.set else {
            add([removal(of: subject)], at: named.namePlace) { set($0, []) }
            return
        }
        let part = part(subject, templates.map { ValueText.text(of: $0.source) }.joined(separator: ", "))
        add([part], at: named.namePlace) { evaluation in
            let evaluated = evaluation.texts(templates)
            if case .value(let values) = evaluated, case .header(let name) = subject,
                !evaluation.areSendable(values, templates, in: name)
            {
                return .failed
            }
            return evaluated.map { values in { set($0, values) } }
        }
    }
}

extension Contributions {
    /// Adds the contributions of an endpoint, for every environment or for one.
    mutating func add(_ endpoint: EndpointLayer) {
        if let method = endpoint.method {
            add([part(.method, method.value)], at: method.place) { $0.method(method.value) }
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
        case nil: add([removal(of: .path)], at: setting.place) { $0.path("") }
        case .text(let template):
            add([part(.path, template.source)], at: setting.place) { evaluation in
                URLFilling.path(template, &evaluation).map { path in { $0.path(path) } }
            }
        case .segments(let templates):
            let part = part(.path, templates.map { ValueText.text(of: $0.source) }.joined(separator: "/"))
            add([part], at: setting.place) { evaluation in
                URLFilling.path(segments: templates, &evaluation).map { path in { $0.path(path) } }
            }
        }
    }

    private mutating func addBody(_ setting: Setting<Body>?) {
        guard let setting else { return }
        guard let body = setting.set else {
            add([removal(of: .body)], at: setting.place) { $0.removingBody() }
            return
        }
        let part = Contribution.Part(subject: .body, written: { body.written }, contentType: body.contentType)
        add([part], at: body.place) { evaluation in body.resolve(&evaluation) }
        if body.isGraphQL { addAcceptOfGraphQL(at: body.place) }
    }
}

extension Contributions {
    /// Adds the media types of GraphQL over HTTP. `application/json` is the older type. A response of this type doesn't show
    /// whether an error comes from the server or from a proxy.
    private mutating func addAcceptOfGraphQL(at place: Place) {
        let types = "application/graphql-response+json, application/json;q=0.9"
        addConstant([part(.header("Accept"), types)], at: place) { $0.header("Accept", types) }
    }
}

extension Contributions {
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
            add(RequestSubject.server.map(removal), at: setting.place) {
                $0.removing(.scheme) { $0.scheme = nil }.removing(.host) { $0.host = nil }.port(nil).removingBasePath()
            }
            return
        }
        let parts = RequestSubject.server.map { part($0, template.source) }
        // This URL contains no placeholders and needs no encoding.
        if let text = template.literal, PercentEncoding.path(text) == text {
            addConstant(parts, at: setting.place) { $0.baseURL(text) }
            return
        }
        add(parts, at: setting.place) { evaluation in
            URLFilling.baseURL(template, &evaluation).map { text in { $0.baseURL(text) } }
        }
    }

    private mutating func addScheme(_ setting: Setting<Scheme>?) {
        guard let setting else { return }
        let scheme = setting.set?.rawValue
        let said = scheme.map { part(.scheme, $0) } ?? removal(of: .scheme)
        add([said], at: setting.place) { builder in
            scheme.map { builder.scheme($0) } ?? builder.removing(.scheme) { $0.scheme = nil }
        }
    }

    private mutating func addHost(_ setting: Setting<TextTemplate>?) {
        guard let setting else { return }
        guard let template = setting.set else {
            add([removal(of: .host)], at: setting.place) { $0.removing(.host) { $0.host = nil } }
            return
        }
        add([part(.host, template.source)], at: setting.place) { evaluation in
            evaluation.text(template).map { text in { $0.host(text) } }
        }
    }

    private mutating func addPort(_ setting: Setting<ValueTemplate>?) {
        guard let setting else { return }
        guard let template = setting.set else {
            add([removal(of: .port)], at: setting.place) { $0.port(nil) }
            return
        }
        add([part(.port, ValueText.text(of: template.source))], at: setting.place) { evaluation in
            switch evaluation.text(template) {
            case .failed: return .failed
            case .absent: return .absent
            case .value(let text):
                if let port = Int(text), (1...65535).contains(port) { return .value { $0.port(port) } }
                evaluation.report(
                    .valueInvalid, "\"port\" takes a port from 1 to 65535; found \(text.quoted)", at: template.place)
                return .failed
            }
        }
    }

    private mutating func addBasePath(_ setting: Setting<TextTemplate>?) {
        guard let setting else { return }
        guard let template = setting.set, !template.pieces.isEmpty else {
            add([removal(of: .basePath)], at: setting.place) { $0.removingBasePath() }
            return
        }
        add([part(.basePath, template.source)], at: setting.place) { evaluation in
            URLFilling.path(template, &evaluation).map { path in { $0.basePath(path) } }
        }
    }
}

extension RequestSubject {
    /// The parts of a request that a base URL sets together.
    static let server: [RequestSubject] = [.scheme, .host, .port, .basePath]
}

extension RequestBuilder {
    /// Removes a part of the URL for which the library has no removing operator.
    fileprivate func removing(
        _ subject: RequestSubject, _ change: @escaping @Sendable (inout URLComponents) -> Void
    ) -> RequestBuilder {
        modifyURLComponents("removing", subject: subject, effect: .removes) { change(&$0) }
    }

    fileprivate func removingBasePath() -> RequestBuilder { basePath("") }
}
