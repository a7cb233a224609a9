package import Definitions
import JSONPath
package import Redaction
package import SourceText

/// Takes values out of an answer, for the endpoints that need them.
package struct CaptureReader: Sendable {
    fileprivate struct Entry: Sendable {
        let name: String
        let namePlace: Place
        let capture: Capture
        let path: JSONPath?
    }

    /// What an answer gave.
    package struct Values: Sendable {
        package var values: [String: OrderedJSON] = [:]
        /// Those that are never to be shown.
        package var secrets: [Redactor.Secret] = []
        /// A capture for each that found nothing: what was looked for, where, and what was there instead.
        package var problems: [Diagnostic] = []
    }

    private let endpointID: String
    private let entries: [Entry]

    package var isEmpty: Bool { entries.isEmpty }

    /// Reads the paths; without a value there is an error among the diagnostics.
    package static func compile(_ endpoint: LocatedEndpoint) -> Listed<CaptureReader?> {
        var diagnostics: [Diagnostic] = []
        let entries = endpoint.definition.captures.map { named -> Entry in
            var path: JSONPath?
            if case .json(let text) = named.value.source {
                let read = PathReading.read(text.value, at: text.place)
                diagnostics += read.diagnostics
                path = read.value
            }
            return Entry(name: named.name, namePlace: named.namePlace, capture: named.value, path: path)
        }
        if diagnostics.contains(where: { $0.severity == .error }) { return Listed(nil, diagnostics) }
        return Listed(CaptureReader(endpointID: endpoint.id, entries: entries), diagnostics)
    }

    package func read(_ answer: Answer, _ excerpts: Excerpts) -> Values {
        var result = Values()
        let needsJSON = entries.contains { $0.path != nil }
        let document = needsJSON ? JSONDocument.read(SourceFile(name: "body", bytes: answer.body)) : nil
        for entry in entries {
            switch entry.value(answer, document, excerpts) {
            case .success(let value):
                result.values[entry.name] = value
                if entry.capture.isSecret {
                    result.secrets.append(
                        Redactor.Secret(label: "\(endpointID).\(entry.name)", value: CallValue.json(value).shown))
                }
            case .failure(let problem):
                result.problems.append(
                    Diagnostic(
                        code: .captureEmpty, "the capture \"\(entry.name)\" of \(endpointID) found \(problem.found)",
                        at: entry.place, hint: problem.hint))
            }
        }
        return result
    }
}

extension CaptureReader.Entry {
    fileprivate struct Nothing: Error {
        /// Follows "found".
        let found: String
        let hint: String?
    }

    fileprivate var place: Place {
        switch capture.source {
        case .json(let text), .header(let text): text.place
        default: namePlace
        }
    }

    fileprivate func value(_ answer: Answer, _ document: JSONDocument?, _ excerpts: Excerpts) -> Result<
        OrderedJSON, Nothing
    > {
        switch capture.source {
        case .status: return .success(.int(answer.status))
        case .body:
            guard let text = String(validating: answer.body, as: UTF8.self) else {
                return nothing("a body that is not text", "a capture takes text")
            }
            return text.isEmpty ? nothing("an empty body", nil) : .success(.string(text))
        case .header(let name):
            if let value = answer.values(of: name.value).first { return .success(.string(value)) }
            let names = answer.headers.prefix(20).map(\.name).joined(separator: ", ")
            return nothing(
                "no header \(name.value)",
                names.isEmpty ? nil : "the answer (\(answer.status)) has \(excerpts.line(Array(names.utf8)))")
        case .json, nil: return json(answer, document, excerpts)
        }
    }

    private func json(
        _ answer: Answer, _ document: JSONDocument?, _ excerpts: Excerpts
    ) -> Result<OrderedJSON, Nothing> {
        guard let path, let document else { return nothing("nothing", nil) }
        let body = "the answer (\(answer.status)) is \(excerpts.text(answer.body))"
        guard document.problems.isEmpty, let root = document.root else {
            return nothing(answer.body.isEmpty ? "an empty body" : "no JSON", body)
        }
        let nodes: [JSONValue]
        do throws(JSONPathLimit) {
            nodes = try path.nodes(in: root)
        } catch {
            return nothing("no end: \(error.message)", nil)
        }
        guard let node = nodes.first else { return nothing("nothing at \(path.text)", body) }
        guard nodes.count == 1 else {
            return nothing("\(nodes.count) values at \(path.text)", "a capture takes one: [0] takes the first")
        }
        // A null that became "null" inside a header would be found out much later.
        if node.isNull { return nothing("null at \(path.text)", body) }
        return .success(OrderedJSON(node))
    }

    private func nothing(_ found: String, _ hint: String?) -> Result<OrderedJSON, Nothing> {
        .failure(Nothing(found: found, hint: hint))
    }
}
