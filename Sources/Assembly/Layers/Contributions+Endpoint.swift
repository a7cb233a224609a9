import Definitions
import Foundation
import RequestBuilding
import SourceText

extension Contributions {
    /// What an endpoint says, for every environment or for one.
    mutating func add(_ endpoint: EndpointLayer, auth carrier: inout AuthCarrier?) {
        if let method = endpoint.method {
            add([part(.method, method.value)], at: method.place) { builder, _ in builder.method(method.value) }
        }
        addPath(endpoint.path)
        // Before the headers: the Content-Type that a body implies loses to one written beside it.
        addBody(endpoint.body)
        add(endpoint.layer, auth: &carrier)
    }

    private mutating func addPath(_ setting: Setting<PathTemplate>?) {
        guard let setting else { return }
        switch setting.value.value {
        case nil: add([part(.path, nil)], at: setting.place) { builder, _ in builder.path("") }
        case .text(let template):
            add([part(.path, template.source)], at: setting.place) { builder, evaluation in
                PathText.fill(template, &evaluation).map { builder.path($0) }
            }
        case .segments(let templates):
            let written = templates.map { ValueText.text(of: $0.source) }.joined(separator: "/")
            add([part(.path, written)], at: setting.place) { builder, evaluation in
                PathText.fill(templates, &evaluation).map { builder.path(segments: $0) }
            }
        }
    }

    private mutating func addBody(_ setting: Setting<Body>?) {
        guard let setting else { return }
        guard let body = setting.value.value else {
            add([part(.body, nil)], at: setting.place) { builder, _ in builder.removingBody() }
            return
        }
        add([part(.body, body.written)], at: body.place) { builder, evaluation in
            body.apply(to: builder, &evaluation)
        }
    }
}

/// Paths with values in them: no value can leave its segment, and no slash doubles or vanishes.
private enum PathText {
    static func fill(_ template: TextTemplate, _ evaluation: inout Evaluation) -> String? {
        var isWhole = true
        for placeholder in template.placeholders {
            let single = TextTemplate(pieces: [.placeholder(placeholder)], place: placeholder.place)
            switch evaluation.text(single) {
            case .failed: isWhole = false
            case .absent: isWhole = refuse(placeholder, "was not given", &evaluation)
            case .value(let text) where text.isEmpty && leavesEmptySegment(placeholder, in: template):
                isWhole = refuse(placeholder, "is empty", &evaluation)
            case .value: continue
            }
        }
        guard isWhole, case .value(let path) = evaluation.text(template, encoding: PercentEncoding.segment) else {
            return nil
        }
        return template.placeholders.isEmpty ? path : withoutDotSegments(path)
    }

    private static func refuse(
        _ placeholder: Located<Placeholder>, _ what: String, _ evaluation: inout Evaluation
    ) -> Bool {
        evaluation.report(
            .valueUnresolved, "\"\(placeholder.value.text)\" \(what), and a path can't do without its segment",
            at: placeholder.place, hint: "write the path as a list: an absent segment then leaves no trace")
        return false
    }

    /// Whether nothing else stands between the slashes around a placeholder.
    private static func leavesEmptySegment(_ placeholder: Located<Placeholder>, in template: TextTemplate) -> Bool {
        let segments = template.source.split(separator: "/", omittingEmptySubsequences: false)
        return segments.contains("{{\(placeholder.value.text)}}")
    }

    /// Two values side by side can make a segment `..` that neither is alone.
    private static func withoutDotSegments(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0 == "." || $0 == ".." ? PercentEncoding.segment(String($0)) : String($0) }.joined(separator: "/")
    }

    static func fill(_ templates: [ValueTemplate], _ evaluation: inout Evaluation) -> [String?]? {
        var segments: [String?] = []
        var isWhole = true
        for template in templates {
            switch evaluation.text(template) {
            case .failed: isWhole = false
            case .absent: segments.append(nil)
            case .value(let text) where text.isEmpty:
                isWhole = false
                evaluation.report(
                    .valueUnresolved, "this segment of the path is empty", at: template.place,
                    hint: "a param that isn't given leaves no trace; an empty one would double the slash")
            case .value(let text): segments.append(text)
            }
        }
        return isWhole ? segments : nil
    }
}
