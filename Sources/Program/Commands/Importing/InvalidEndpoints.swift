import Importing
import ReqcliDefinitions
import ReqcliText

/// The endpoints of an import that would not be valid, such as an endpoint with a nameless header. Only the other endpoints are
/// imported.
struct InvalidEndpoints {
    /// The first problem of each invalid endpoint, by the index of its request.
    private(set) var problems: [Int: String] = [:]

    /// Finds the endpoints that have errors. Nil if one of the errors isn't in an imported endpoint.
    init?(_ errors: [Diagnostic], _ report: ImportReport, _ workspace: Workspace) {
        let indices = Dictionary(
            report.imported.ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var roots: [String: (stem: String, root: JSONValue)] = [:]
        for file in report.files where file.path.hasPrefix("endpoints/") {
            let stem = file.path.dropFirst("endpoints/".count).prefix { $0 != "." }.replacing("/", with: ".")
            let document = JSONDocument.read(SourceFile(name: file.path, bytes: file.after))
            if let root = document.root { roots[workspace.shown(file.path)] = (String(stem), root) }
        }
        for error in errors {
            guard let place = error.place, let (stem, root) = roots[place.file.name] else { return nil }
            var id = stem
            if let endpoints = root["endpoints"] {
                let member = endpoints.members.first { member in
                    member.key.range.lowerBound <= place.range.lowerBound
                        && place.range.lowerBound < member.value.range.upperBound
                }
                guard let member else { return nil }
                id += "." + member.name
            }
            guard let index = indices[id] else { return nil }
            if problems[index] == nil { problems[index] = error.message }
        }
    }

    /// Removes the endpoints, and adds a note for each.
    func remove(from imported: inout ImportedWorkspace) {
        for (index, problem) in problems.sorted(by: { $0.key < $1.key }) {
            let request = imported.requests[index]
            let name = request.name ?? request.key ?? request.path
            imported.notes.append(
                ConversionNote(
                    .lost, "a request is not converted: an endpoint cannot express it", "\(name): \(problem)",
                    at: request.place))
        }
        imported.remove(at: Set(problems.keys))
    }
}
