import Definitions
import RequestBuilding
import SourceText

extension Contributions {
    /// The contributions of an endpoint, for every environment or for one.
    mutating func add(_ endpoint: EndpointLayer) {
        if let method = endpoint.method {
            add([part(.method, method.value)], at: method.place) { $0.method(method.value) }
        }
        addPath(endpoint.path)
        // Before the headers: the Content-Type that a body implies loses to one written beside it.
        addBody(endpoint.body)
        add(endpoint.layer)
    }

    private mutating func addPath(_ setting: Setting<PathTemplate>?) {
        guard let setting else { return }
        switch setting.value.value {
        case nil: add([removal(of: .path)], at: setting.place) { $0.path("") }
        case .text(let template):
            add([part(.path, template.source)], at: setting.place) { evaluation in
                URLText.path(template, &evaluation).map { path in { $0.path(path) } }
            }
        case .segments(let templates):
            let part = part(.path, templates.map { ValueText.text(of: $0.source) }.joined(separator: "/"))
            add([part], at: setting.place) { evaluation in
                URLText.path(segments: templates, &evaluation).map { path in { $0.path(path) } }
            }
        }
    }

    private mutating func addBody(_ setting: Setting<Body>?) {
        guard let setting else { return }
        guard let body = setting.value.value else {
            add([removal(of: .body)], at: setting.place) { $0.removingBody() }
            return
        }
        let part = Contribution.Part(.body, written: { body.written }, contentType: body.contentType)
        add([part], at: body.place) { evaluation in body.resolve(&evaluation) }
    }
}
