import Definitions
import Foundation
import RequestBuilding
import SourceText

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
        guard let template = setting.value.value else {
            add(RequestSubject.server.map(removal), at: setting.place) {
                $0.removing(.scheme) { $0.scheme = nil }.removing(.host) { $0.host = nil }.port(nil).removingBasePath()
            }
            return
        }
        let parts = RequestSubject.server.map { part($0, template.source) }
        // In this one there is nothing to fill in and nothing to encode.
        if let text = template.literal, PercentEncoding.path(text) == text {
            addConstant(parts, at: setting.place) { $0.baseURL(text) }
            return
        }
        add(parts, at: setting.place) { evaluation in
            URLText.baseURL(template, &evaluation).map { text in { $0.baseURL(text) } }
        }
    }

    private mutating func addScheme(_ setting: Setting<Scheme>?) {
        guard let setting else { return }
        let scheme = setting.value.value?.rawValue
        let said = scheme.map { part(.scheme, $0) } ?? removal(of: .scheme)
        add([said], at: setting.place) { builder in
            scheme.map { builder.scheme($0) } ?? builder.removing(.scheme) { $0.scheme = nil }
        }
    }

    private mutating func addHost(_ setting: Setting<TextTemplate>?) {
        guard let setting else { return }
        guard let template = setting.value.value else {
            add([removal(of: .host)], at: setting.place) { $0.removing(.host) { $0.host = nil } }
            return
        }
        add([part(.host, template.source)], at: setting.place) { evaluation in
            evaluation.text(template).map { text in { $0.host(text) } }
        }
    }

    private mutating func addPort(_ setting: Setting<ValueTemplate>?) {
        guard let setting else { return }
        guard let template = setting.value.value else {
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
        guard let template = setting.value.value, !template.pieces.isEmpty else {
            add([removal(of: .basePath)], at: setting.place) { $0.removingBasePath() }
            return
        }
        add([part(.basePath, template.source)], at: setting.place) { evaluation in
            URLText.path(template, &evaluation).map { path in { $0.basePath(path) } }
        }
    }
}

extension RequestSubject {
    /// The parts that a base URL sets together.
    static let server: [RequestSubject] = [.scheme, .host, .port, .basePath]
}

extension RequestBuilder {
    /// Takes away a part of the URL that no operator of the library takes away.
    fileprivate func removing(
        _ subject: RequestSubject, _ change: @escaping @Sendable (inout URLComponents) -> Void
    ) -> RequestBuilder {
        modifyURLComponents("removing", subject: subject, effect: .removes) { change(&$0) }
    }

    fileprivate func removingBasePath() -> RequestBuilder { basePath("") }
}
