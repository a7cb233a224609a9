package import Calling
import ReqcliBasics
package import ReqcliDefinitions
import ReqcliJSONPath
package import ReqcliMatching
package import ReqcliRedaction
package import ReqcliText
import RequestBuilding

/// Reads captures from a response, for the endpoints that need them.
package struct CaptureReader: Sendable {
    fileprivate struct Entry: Sendable {
        let name: String
        let namePlace: Place
        let capture: Capture
        let path: JSONPath?
        let pattern: IRegexp?
    }

    /// The captured values of a response.
    package struct Values: Sendable {
        package var values: [String: OrderedJSON] = [:]
        /// The captured secrets, which must never be shown.
        package var secrets: [Redactor.Secret] = []
        /// A problem for each capture that found nothing: what was expected, where, and what was found.
        package var problems: [Diagnostic] = []
        /// The captures that found nothing, each with the text after "found". In the order of `problems`.
        var missing: [(name: String, found: Wording)] = []
        /// The parts of the response that must not be shown. A secret was expected in these parts but not found, so any text in
        /// them may be the secret.
        package var hiddenParts: Set<ReceivedResponse.Part> = []
    }

    private let endpointID: String
    private let entries: [Entry]

    package var isEmpty: Bool { entries.isEmpty }

    var names: [String] { entries.map(\.name) }

    /// The names of the captures that are secrets.
    var secretNames: Set<String> { Set(entries.filter(\.capture.isSecret).map(\.name)) }

    /// The secrets among captured values.
    func secrets(among values: [String: OrderedJSON]) -> [Redactor.Secret] {
        entries.filter(\.capture.isSecret).flatMap { entry in
            (values[entry.name]?.secretTexts ?? []).map {
                Redactor.Secret(label: "\(endpointID).\(entry.name)", value: $0)
            }
        }
    }

    /// A reader that reads only the secret captures.
    package var ofSecrets: CaptureReader {
        CaptureReader(endpointID: endpointID, entries: entries.filter(\.capture.isSecret))
    }

    /// A reader that reads only the secret captures that are in the head of a response.
    package var ofSecretsInHeads: CaptureReader {
        CaptureReader(endpointID: endpointID, entries: entries.filter { $0.capture.isSecret && $0.part == .headers })
    }

    /// Parses the paths of an endpoint's captures. If the value is nil, the diagnostics contain an error.
    ///
    /// - Parameter others: Further captures, which replace captures of the endpoint with the same name.
    package static func compile(
        _ endpoint: LocatedEndpoint, adding others: [Named<Capture>] = []
    ) -> Diagnosed<CaptureReader?> {
        var diagnostics: [Diagnostic] = []
        let own = endpoint.definition.captures.filter { others[named: $0.name] == nil }
        let entries = (own + others).map { named -> Entry in
            var path: JSONPath?
            if case .json(let text) = named.value.source {
                let read = PathReading.read(text.value, at: text.place)
                diagnostics += read.diagnostics
                path = read.value
            }
            diagnostics += named.value.patternProblem.map { [$0] } ?? []
            return Entry(
                name: named.name, namePlace: named.namePlace, capture: named.value, path: path,
                pattern: named.value.match.flatMap { try? IRegexp($0.value) })
        }
        if diagnostics.contains(where: { $0.severity == .error }) { return Diagnosed(nil, diagnostics) }
        return Diagnosed(CaptureReader(endpointID: endpoint.id, entries: entries), diagnostics)
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
                // Shows an error response as it is, because a server that refuses the request sends no secret.
                if entry.capture.isSecret, response.status < 400 { result.hiddenParts.insert(entry.part) }
                result.missing.append((entry.name, error.found))
                result.problems.append(
                    Diagnostic(
                        code: .captureEmpty,
                        "the capture \"\(own: entry.name)\" of \(own: endpointID) found \(error.found)",
                        at: entry.place, hint: error.hint))
            }
        }
        return result
    }
}

extension CaptureReader.Entry {
    fileprivate struct Found {
        let value: OrderedJSON
        /// The text of an object or a list, exactly as in the body; the path and query of a URL, as a request line has them; nil
        /// for any other value.
        var written: String?
    }

    fileprivate struct Nothing: Error {
        /// The text after "found".
        let found: Wording
        let hint: Wording?

        init(_ found: Wording, _ hint: Wording? = nil) {
            self.found = found
            self.hint = hint
        }
    }

    fileprivate var place: Place {
        switch capture.source {
        case .json(let text), .header(let text), .cookie(let text): text.place
        case .body, .status, .url, nil: namePlace
        }
    }

    /// The part of the response that the capture reads.
    fileprivate var part: ReceivedResponse.Part {
        switch capture.source {
        case .header, .cookie, .url: .headers
        case .json, .body, .status, nil: .body
        }
    }

    fileprivate func value(
        _ response: ReceivedResponse, _ document: Result<JSONDocument, UnreadableBody>?, _ excerpts: Excerpts
    ) throws(Nothing) -> Found {
        switch capture.source {
        case .status: return Found(value: .int(response.status))
        case .body:
            switch response.text {
            case .failure(let problem): throw Nothing(problem.phrase(excerpts), "a capture needs text")
            case .success(let text) where text.isEmpty: throw Nothing("an empty body", nil)
            case .success(let text): return Found(value: .string(String(decoding: text, as: UTF8.self)))
            }
        case .url:
            guard let url = response.url else { throw Nothing("no URL") }
            return Found(value: .string(url), written: Self.target(of: url))
        case .header(let name): return Found(value: .string(try header(name.value, response, excerpts)))
        case .cookie(let name): return Found(value: .string(try cookie(name.value, response, excerpts)))
        case .json, nil: return try json(response, document, excerpts)
        }
    }

    /// The path and query of a URL; nil if they are too short to be a secret.
    private static func target(of url: String) -> String? {
        guard let origin = url.firstRange(of: "://"), let start = url[origin.upperBound...].firstIndex(of: "/") else {
            return nil
        }
        let target = url[start...].prefix { $0 != "#" }
        return target.utf8.count < 8 ? nil : String(target)
    }

    private func header(
        _ name: String, _ response: ReceivedResponse, _ excerpts: Excerpts
    ) throws(Nothing) -> String {
        let values = response.headers.values(name)
        if values.count > 1 {
            throw Nothing("\(values.count) values of \(own: name)", "a capture takes a single value")
        }
        guard let value = values.first else {
            throw Nothing("no header \(own: name)", hint(response, having: response.headers.map(\.name), excerpts))
        }
        guard let pattern else { return value }
        if let part = pattern.firstMatch(in: value), !part.isEmpty { return String(part) }
        throw Nothing(
            "no \"\(own: pattern.pattern)\" in the header \(own: name)",
            capture.isSecret ? nil : "it is \(excerpts.text(Array(value.utf8)))")
    }

    /// The value of a cookie. The last cookie of that name counts, as in a browser.
    private func cookie(
        _ name: String, _ response: ReceivedResponse, _ excerpts: Excerpts
    ) throws(Nothing) -> String {
        let cookies = response.setCookies.map { line -> (name: String, value: String) in
            let pair = line.prefix { $0 != ";" }
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? String(parts[1].trimmingSpacesAndTabs) : ""
            return (String(parts.first?.trimmingSpacesAndTabs ?? ""), value)
        }
        guard let value = cookies.last(where: { $0.name == name })?.value else {
            throw Nothing("no cookie \(own: name)", hint(response, having: cookies.map(\.name), excerpts))
        }
        if value.isEmpty { throw Nothing("an empty cookie \(own: name)") }
        return value
    }

    private func hint(_ response: ReceivedResponse, having names: [String], _ excerpts: Excerpts) -> Wording? {
        let list = names.prefix(20).joined(separator: ", ")
        return list.isEmpty ? nil : "the response (\(response.status)) has \(excerpts.line(Array(list.utf8)))"
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
        guard let root = document.validRoot else {
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
            throw Nothing("no result: \(own: error.message)", nil)
        }
        guard let node = nodes.first else {
            throw Nothing("nothing at \(own: path.text)", hint(response, root, excerpts))
        }
        guard nodes.count == 1 else {
            throw Nothing(
                "\(nodes.count) values at \(own: path.text)",
                "a capture takes a single value: [0] selects the first one")
        }
        // Reject null here. Otherwise a later request could send the string "null" in a header, and the mistake would be noticed
        // much later.
        if node.isNull { throw Nothing("null at \(own: path.text)", hint(response, root, excerpts)) }
        let isContainer = node.kind == .object || node.kind == .array
        return Found(value: OrderedJSON(node), written: isContainer ? node.text : nil)
    }

    /// Describes the response in the hint of an error. For a secret capture, the hint names only the keys of the body and quotes
    /// no values.
    private func hint(_ response: ReceivedResponse, _ root: JSONValue?, _ excerpts: Excerpts) -> Wording {
        let answered: Wording = "the response (\(response.status))"
        guard capture.isSecret else { return "\(answered) is \(excerpts.text(response.shownBody))" }
        guard let root else { return "\(answered) is not shown, because it may hold the secret" }
        let names = root.kind == .object ? root.members.prefix(20).map(\.name).joined(separator: ", ") : ""
        let outline: Wording =
            names.isEmpty ? "is \(own: root.kindDescription)" : "has the keys \(excerpts.line(Array(names.utf8)))"
        return "\(answered) \(outline); the values are not shown, because one may be the secret"
    }
}
