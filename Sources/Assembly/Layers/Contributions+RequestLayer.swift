import Definitions
import RequestBuilding
import SourceText

extension Contributions {
    /// What a layer says about server, auth, transfer, headers and query. A header that is written out comes after what
    /// the settings beside it imply, and wins.
    mutating func add(_ layer: RequestLayer) {
        addServer(layer)
        addAuth(layer.auth)
        addTransfer(layer)
        for header in layer.headers { addHeader(header) }
        for item in layer.query { addQueryItem(item) }
    }

    private mutating func addHeader(_ header: Named<Setting<[ValueTemplate]>>) {
        addValues(header, subject: .header(header.name)) { $0.header(header.name, values: $1) }
    }

    private mutating func addQueryItem(_ item: Named<Setting<[ValueTemplate]>>) {
        addValues(item, subject: .queryItem(item.name)) { $0.queryItem(item.name, values: $1) }
    }

    private mutating func addValues(
        _ named: Named<Setting<[ValueTemplate]>>, subject: RequestSubject,
        set: @escaping @Sendable (RequestBuilder, [String]) -> RequestBuilder
    ) {
        carriers.release(subject)
        guard let templates = named.value.value.value else {
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
