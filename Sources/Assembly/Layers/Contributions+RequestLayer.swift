import Definitions
import Foundation
import RequestBuilding
import SourceText

extension Contributions {
    /// What a layer says about server, headers, query, auth and transfer. Auth comes before the headers beside it: a
    /// header that is written out wins.
    mutating func add(_ layer: RequestLayer, auth carrier: inout AuthCarrier?) {
        addServer(layer)
        addAuth(layer.auth, carrier: &carrier)
        for header in layer.headers { addHeader(header) }
        for item in layer.query { addQueryItem(item) }
        addTransfer(layer)
    }

    private mutating func addServer(_ layer: RequestLayer) {
        addBaseURL(layer.baseURL)
        if let scheme = layer.scheme {
            let text = scheme.value.value?.rawValue
            add([part(.scheme, text)], at: scheme.place) { builder, _ in
                text.map { builder.scheme($0) } ?? builder.removing(.scheme) { $0.scheme = nil }
            }
        }
        setting(.host, layer.host) {
            $0.host($1)
        } remove: {
            $0.removing(.host) { $0.host = nil }
        }
        addPort(layer.port)
        setting(.basePath, layer.basePath, encoding: PercentEncoding.segment) {
            $0.basePath($1)
        } remove: {
            $0.basePath("")
        }
    }

    private mutating func addBaseURL(_ setting: Setting<TextTemplate>?) {
        guard let setting else { return }
        let subjects: [RequestSubject] = [.scheme, .host, .port, .basePath]
        guard let template = setting.value.value else {
            add(subjects.map { Contribution.Part(subject: $0, effect: .removes) }, at: setting.place) { builder, _ in
                builder.removing(.scheme) { $0.scheme = nil }.removing(.host) { $0.host = nil }.port(nil).basePath("")
            }
            return
        }
        add(subjects.map { part($0, template.source) }, at: setting.place) { builder, evaluation in
            guard case .value(let text) = evaluation.text(template) else { return nil }
            return builder.baseURL(text)
        }
    }

    private mutating func addPort(_ setting: Setting<ValueTemplate>?) {
        guard let setting else { return }
        guard let template = setting.value.value else {
            add([Contribution.Part(subject: .port, effect: .removes)], at: setting.place) { builder, _ in
                builder.port(nil)
            }
            return
        }
        add([part(.port, ValueText.text(of: template.source))], at: setting.place) { builder, evaluation in
            switch evaluation.text(template) {
            case .failed: return nil
            case .absent: return builder.port(nil)
            case .value(let text):
                if let port = Int(text), (1...65535).contains(port) { return builder.port(port) }
                evaluation.report(
                    .valueInvalid, "\"port\" takes a port from 1 to 65535; found \"\(text)\"", at: template.place)
                return nil
            }
        }
    }

    private mutating func addHeader(_ header: Named<Setting<[ValueTemplate]>>) {
        addValues(header, subject: .header(header.name)) { builder, values in
            builder.header(header.name, values: values)
        }
    }

    private mutating func addQueryItem(_ item: Named<Setting<[ValueTemplate]>>) {
        addValues(item, subject: .queryItem(item.name)) { builder, values in
            builder.queryItem(item.name, values: values)
        }
    }

    /// Values under one name; absent ones are left out, and with none left the name goes.
    private mutating func addValues(
        _ named: Named<Setting<[ValueTemplate]>>, subject: RequestSubject,
        set: @escaping @Sendable (RequestBuilder, [String]) -> RequestBuilder
    ) {
        guard let templates = named.value.value.value else {
            add([Contribution.Part(subject: subject, effect: .removes)], at: named.namePlace) { builder, _ in
                set(builder, [])
            }
            return
        }
        let written = templates.map { ValueText.text(of: $0.source) }.joined(separator: ", ")
        add([part(subject, written)], at: named.namePlace) { builder, evaluation in
            var values: [String] = []
            var isWhole = true
            for template in templates {
                switch evaluation.text(template) {
                case .value(let text): values.append(text)
                case .absent: continue
                case .failed: isWhole = false
                }
            }
            return isWhole ? set(builder, values) : nil
        }
    }

    func part(_ subject: RequestSubject, _ written: String?) -> Contribution.Part {
        Contribution.Part(subject: subject, effect: written == nil ? .removes : .sets, written: written)
    }
}

extension RequestBuilder {
    /// Takes away a part of the URL that no operator of the library takes away.
    fileprivate func removing(
        _ subject: RequestSubject, _ change: @escaping @Sendable (inout URLComponents) -> Void
    ) -> RequestBuilder {
        modifyURLComponents("removing", subject: subject, effect: .removes) { change(&$0) }
    }
}
