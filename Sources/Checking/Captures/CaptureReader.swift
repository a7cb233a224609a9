package import Definitions
import JSONPath
package import Redaction
import RequestBuilding
package import SourceText

/// Reads captures from a response, for the endpoints that need them.
package struct CaptureReader: Sendable {
    fileprivate struct Entry: Sendable {
        let name: String
        let namePlace: Place
        let capture: Capture
        let path: JSONPath?
    }

    /// The captured values of a response.
    package struct Values: Sendable {
        package var values: [String: OrderedJSON] = [:]
        /// The captured secrets, which must never be shown.
        package var secrets: [Redactor.Secret] = []
        /// A problem for each capture that found nothing: what was expected, where, and what was found.
        package var problems: [Diagnostic] = []
        /// The parts of the response that must not be shown: a secret was expected there but not found, so any text may
        /// be it.
        package var hiddenParts: Set<ReceivedResponse.Part> = []
    }

    private let endpointID: String
    private let entries: [Entry]

    package var isEmpty: Bool { entries.isEmpty }

    /// A reader for only the captures that are secrets.
    package var ofSecrets: CaptureReader {
        CaptureReader(endpointID: endpointID, entries: entries.filter(\.capture.isSecret))
    }

    /// Parses the paths of an endpoint's captures. If the value is nil, the diagnostics contain an error.
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

    package func read(_ response: ReceivedResponse, _ excerpts: Excerpts) -> Values {
        var result = Values()
        let needsJSON = entries.contains { $0.path != nil }
        let document = needsJSON ? response.content.map { JSONDocument.read(SourceFile(name: "body", bytes: $0)) } : nil
        for entry in entries {
            do throws(CaptureReader.Entry.Nothing) {
                let found = try entry.value(response, document, excerpts)
                result.values[entry.name] = found.value
                if entry.capture.isSecret {
                    let texts = found.value.secretTexts + (found.written.map { [$0] } ?? [])
                    result.secrets += texts.map { Redactor.Secret(label: "\(endpointID).\(entry.name)", value: $0) }
                }
            } catch {
                if entry.capture.isSecret { result.hiddenParts.insert(entry.part) }
                result.problems.append(
                    Diagnostic(
                        code: .captureEmpty, "the capture \"\(entry.name)\" of \(endpointID) found \(error.found)",
                        at: entry.place, hint: error.hint))
            }
        }
        return result
    }
}

extension CaptureReader.Entry {
    fileprivate struct Found {
        let value: OrderedJSON
        /// An object or a list as written in the body, with its whitespace.
        var written: String?
    }

    fileprivate struct Nothing: Error {
        /// The text after "found".
        let found: String
        let hint: String?

        init(_ found: String, _ hint: String? = nil) {
            self.found = found
            self.hint = hint
        }
    }

    fileprivate var place: Place {
        switch capture.source {
        case .json(let text), .header(let text): text.place
        default: namePlace
        }
    }

    /// The part of the response that the capture reads.
    fileprivate var part: ReceivedResponse.Part {
        if case .header = capture.source { .headers } else { .body }
    }

    fileprivate func value(
        _ response: ReceivedResponse, _ document: Result<JSONDocument, UnreadableBody>?, _ excerpts: Excerpts
    ) throws(Nothing) -> Found {
        switch capture.source {
        case .status: return Found(value: .int(response.status))
        case .body:
            switch response.text {
            case .failure(let problem): throw Nothing(problem.phrase(excerpts), "a capture takes text")
            case .success(let text) where text.isEmpty: throw Nothing("an empty body", nil)
            case .success(let text): return Found(value: .string(String(decoding: text, as: UTF8.self)))
            }
        case .header(let name):
            let values = response.headers.values(name.value)
            if values.count > 1 { throw Nothing("\(values.count) values of \(name.value)", "a capture takes one") }
            if let value = values.first { return Found(value: .string(value)) }
            let names = response.headers.prefix(20).map(\.name).joined(separator: ", ")
            throw Nothing(
                "no header \(name.value)",
                names.isEmpty ? nil : "the response (\(response.status)) has \(excerpts.line(Array(names.utf8)))")
        case .json, nil: return try json(response, document, excerpts)
        }
    }

    private func json(
        _ response: ReceivedResponse, _ read: Result<JSONDocument, UnreadableBody>?, _ excerpts: Excerpts
    ) throws(Nothing) -> Found {
        guard let path, let read else { throw Nothing("nothing", nil) }
        let document: JSONDocument
        switch read {
        case .failure(let problem): throw Nothing(problem.phrase(excerpts), nil)
        case .success(let value): document = value
        }
        guard document.problems.isEmpty, let root = document.root else {
            let isEmpty = document.file.bytes.isEmpty
            throw Nothing(isEmpty ? "an empty body" : "no JSON", hint(response, nil, excerpts))
        }
        if let repeated = RepeatedKeys(in: root).phrase(along: path, in: root, .everything, excerpts) {
            throw Nothing(repeated, "a capture needs a key that is not repeated")
        }
        let nodes: [JSONValue]
        do throws(JSONPathLimit) {
            nodes = try path.nodes(in: root)
        } catch {
            throw Nothing("no end: \(error.message)", nil)
        }
        guard let node = nodes.first else { throw Nothing("nothing at \(path.text)", hint(response, root, excerpts)) }
        guard nodes.count == 1 else {
            throw Nothing("\(nodes.count) values at \(path.text)", "a capture takes one: [0] takes the first")
        }
        // Reject null here: as "null" inside a header, it would be noticed much later.
        if node.isNull { throw Nothing("null at \(path.text)", hint(response, root, excerpts)) }
        let isContainer = node.kind == .object || node.kind == .array
        return Found(value: OrderedJSON(node), written: isContainer ? node.text : nil)
    }

    /// The actual response for the hint: its text or, if the capture is a secret, only the names of its keys.
    private func hint(_ response: ReceivedResponse, _ root: JSONValue?, _ excerpts: Excerpts) -> String {
        let answered = "the response (\(response.status))"
        guard capture.isSecret else { return "\(answered) is \(excerpts.text(response.shownBody))" }
        guard let root else { return "\(answered) is not shown, because it may hold the secret" }
        let names = root.kind == .object ? root.members.prefix(20).map(\.name).joined(separator: ", ") : ""
        let outline =
            names.isEmpty ? "is \(root.kindDescription)" : "has the keys \(excerpts.line(Array(names.utf8)))"
        return "\(answered) \(outline); no value is shown, because one may be the secret"
    }
}
