import Foundation
import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

extension LayerMerge {
    /// Adds the layer of an environment or a group.
    mutating func add(_ layer: RequestLayer) {
        var carriers = carriers
        layer.steps(isShared: true, &carriers) { add($0) }
        self.carriers = carriers
    }

    /// Adds the layer of an endpoint for all environments, or for one environment.
    mutating func add(_ endpoint: EndpointLayer) {
        var carriers = carriers
        endpoint.steps(&carriers) { add($0) }
        self.carriers = carriers
    }

    private mutating func add(_ step: LayerStep) {
        let place = step.place
        switch step.change {
        case .method(let method): add(at: place) { $0.method(method) }
        case .path(let path): addPath(path, at: place)
        case .body(let body?):
            addBody(body.written, ofType: body.contentType, at: place) { body.resolve($0, &$1) }
        case .body(nil): add(at: place) { $0.removingBody() }
        case .baseURL(let template?):
            let parts = RequestSubject.server.map { subject in Part(subject) { template.source } }
            add(parts, at: place) { URLFilling.baseURL(template, &$1).map($0.baseURL) }
        case .baseURL(nil): add(at: place) { $0.removingScheme().removingHost().port(nil).basePath("") }
        case .scheme(let scheme):
            add(at: place) { builder in scheme.map { builder.scheme($0.rawValue) } ?? builder.removingScheme() }
        case .host(let template?): add(.host, template.source, at: place) { $1.text(template).map($0.host) }
        case .host(nil): add(at: place) { $0.removingHost() }
        case .port(let template?): addPort(template, at: place)
        case .port(nil): add(at: place) { $0.port(nil) }
        case .basePath(let template?) where !template.pieces.isEmpty:
            add(.basePath, template.source, at: place) { URLFilling.path(template, &$1).map($0.basePath) }
        case .basePath: add(at: place) { $0.basePath("") }
        case .credentials(let credentials): add(credentials, at: place)
        case .transfer(let entry): add(entry)
        case .cachePolicy(let policy): add(at: place) { $0.setting(.cachePolicy, policy.foundation) }
        case .proxy(let proxy?):
            add(.setting(TransferSetting.proxy.name), proxy.written, at: place) { builder, evaluation in
                proxy.resolve(&evaluation).map { builder.setting(.proxy, $0) }
            }
        // No proxy, not even the proxy in the usual environment variables.
        case .proxy(nil): add(at: place) { $0.setting(.proxy, ProxySettings("")) }
        case .noProxy(let hosts):
            let written = hosts.map { ValueText.text(of: $0.source) }.joined(separator: ",")
            add(.setting(TransferSetting.noProxy.name), written, at: place) { builder, evaluation in
                evaluation.texts(hosts).map { builder.setting(.noProxy, $0.joined(separator: ",")) }
            }
        case .header(let name, let values, let isShared):
            let bodyTie = isShared ? RequestOperator.BodyTie(ofSharedHeader: name) : .none
            addValues(values, of: .header(name), at: place) { $0.header(name, values: $1, bodyTie: bodyTie) }
        case .impliedHeader(let name, let value): add(at: place) { $0.header(name, value) }
        case .queryItem(let name, let values):
            addValues(values, of: .queryItem(name), at: place) { $0.queryItem(name, values: $1) }
        case .query(let template?):
            add(.query, template.source, at: place) { URLFilling.query(template, &$1).map($0.rawQuery) }
        case .query(nil): add(at: place) { $0.rawQuery("") }
        case .removal(let carrier): if let carrier { add(at: place, carrier.removed(from:)) }
        case .queryKey(let name): if let name { moveToEnd(.queryItem(name)) }
        }
    }

    private mutating func addValues(
        _ templates: [ValueTemplate]?, of subject: RequestSubject, at place: Place,
        set: @escaping @Sendable (RequestBuilder, [String]) -> RequestBuilder
    ) {
        guard let templates else { return add(at: place) { set($0, []) } }
        let written = { @Sendable in templates.map { ValueText.text(of: $0.source) }.joined(separator: ", ") }
        add(subject, written(), at: place) { builder, evaluation in
            let values = evaluation.texts(templates)
            if case .value(let texts) = values, case .header(let name) = subject,
                !evaluation.areSendable(texts, templates, in: name)
            {
                return .failed
            }
            return values.map { set(builder, $0) }
        }
    }

    private mutating func addPath(_ path: PathTemplate?, at place: Place) {
        switch path {
        case nil: add(at: place) { $0.path(written: "") }
        case .text(let template):
            add(.path, template.source, at: place) { URLFilling.path(template, &$1).map($0.path(written:)) }
        case .segments(let templates):
            let written = { @Sendable in templates.map { ValueText.text(of: $0.source) }.joined(separator: "/") }
            add(.path, written(), at: place) {
                URLFilling.path(segments: templates, &$1).map($0.path(written:))
            }
        }
    }

    /// Adds a body together with the Content-Type that the body implies.
    mutating func addBody(
        _ written: @autoclosure @escaping @Sendable () -> String, ofType contentType: String, at place: Place? = nil,
        from origin: Origin? = nil, _ change: @escaping Change
    ) {
        let type = Part(.contentType, bodyTie: .implied) { contentType }
        add([Part(.body, written: written), type], at: place, from: origin, change)
    }

    private mutating func addPort(_ template: ValueTemplate, at place: Place) {
        add(.port, ValueText.text(of: template.source), at: place) { builder, evaluation in
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
}

extension RequestSubject {
    /// The parts of a request that a base URL sets together.
    static let server: [RequestSubject] = [.scheme, .host, .port, .basePath]
}

extension RequestSubject {
    /// The header that a body implies.
    static let contentType = RequestSubject.header("Content-Type")
}

extension Carrier {
    func removed(from builder: RequestBuilder) -> RequestBuilder {
        switch self {
        case .header(let name): builder.removingHeader(name)
        case .queryItem(let name): builder.removingQueryItem(name)
        case .digest: builder.removingSetting(.digestAccount)
        case .any: builder.removingSetting(.anyAccount)
        case .signature: builder.removingSigning()
        }
    }
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
