import ReqcliDefinitions
import ReqcliText

/// The outline of a file: the objects with a name in it.
struct DocumentSymbols {
    private enum Kind: Int {
        case method = 6
        case property = 7
        case namespace = 3
    }

    private static let deepest = 4

    private let document: AskedDocument
    private let positions: TextPositions

    init(_ document: AskedDocument) {
        self.document = document
        positions = document.positions
    }

    var all: [OrderedJSON] {
        guard let root = document.json.root else { return [] }
        return symbols(of: root, depth: 0, isOfEndpoints: false)
    }

    private func symbols(of value: JSONValue, depth: Int, isOfEndpoints: Bool) -> [OrderedJSON] {
        guard depth < Self.deepest else { return [] }
        if value.kind == .array {
            return value.elements.compactMap { element in
                guard let name = element["name"]?.string, let place = element["name"]?.range else { return nil }
                return symbol(name, .method, element["endpoint"]?.string, element.range, place, [])
            }
        }
        return value.members.compactMap { member in
            guard member.value.kind == .object || member.value.kind == .array, !member.name.isEmpty else { return nil }
            let inner = symbols(
                of: member.value, depth: depth + 1, isOfEndpoints: depth == 0 && member.name == "endpoints")
            if member.value.kind == .array, inner.isEmpty { return nil }
            let detail = isOfEndpoints ? Self.detail(member.value) : nil
            let range = member.key.range.lowerBound..<max(member.key.range.upperBound, member.value.range.upperBound)
            return symbol(
                member.name, isOfEndpoints ? .method : inner.isEmpty ? .property : .namespace, detail, range,
                member.key.range, inner)
        }
    }

    private static func detail(_ endpoint: JSONValue) -> String? {
        endpoint["path"]?.string.map { "\(endpoint["method"]?.string ?? "GET") \($0)" }
    }

    private func symbol(
        _ name: String, _ kind: Kind, _ detail: String?, _ range: Range<Int>, _ selection: Range<Int>,
        _ children: [OrderedJSON]
    ) -> OrderedJSON {
        .object([
            "name": .string(name), "kind": .int(kind.rawValue), "detail": detail.map { .string($0) },
            "range": positions.json(range), "selectionRange": positions.json(selection),
            "children": children.isEmpty ? nil : .array(children),
        ])
    }
}

/// The endpoints and scenarios of a workspace: `user.get  GET /v3/user`.
struct WorkspaceSymbols {
    let workspace: ServedWorkspace
    let client: ClientAbilities

    func matching(_ query: String) -> [OrderedJSON] {
        let places = DocumentPlaces(workspace: workspace, client: client)
        let words = query.lowercased().split(separator: " ").map { String($0) }
        func entry(_ name: String, _ place: Place) -> OrderedJSON? {
            let folded = name.lowercased()
            guard words.allSatisfy({ folded.contains($0) }) else { return nil }
            return .object(["name": .string(name), "kind": 6, "location": places.location(place)])
        }
        let endpoints = workspace.reading.allEndpoints.lazy.compactMap { endpoint in
            entry("\(endpoint.id)  \(endpoint.method) \(endpoint.path(in: nil))", endpoint.definition.place)
        }
        let scenarios = workspace.reading.allScenarios.lazy.compactMap { entry($0.id, $0.definition.place) }
        return Array(endpoints.prefix(200)) + Array(scenarios.prefix(200))
    }
}
