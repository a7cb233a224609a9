import Assembly
import Definitions
import RequestBuilding
import SourceText

/// Answers from a variant that is not written yet: what comes out must be what came in.
struct StubReplay {
    let workspace: Workspace
    let endpoint: LocatedEndpoint
    let variant: String

    /// What is wrong with files about to be written; nil if they are read without an error and replay the answer.
    func fault(of edit: EndpointFileEdit, file: String, _ answer: RecordedAnswer) -> String? {
        var drafts = [workspace.path(edit.path): edit.after]
        if !answer.body.isEmpty { drafts[workspace.path("stubs/\(file)")] = answer.body }
        let draft = Workspace(
            root: workspace.root, currentFolder: workspace.currentFolder, files: workspace.files.with(drafts: drafts))
        let lookup = draft.endpoint(endpoint.id)
        if let problem = lookup.diagnostics.first(where: { $0.severity == .error }) {
            return "\(endpoint.file.name) would be broken: \(problem.message)"
        }
        guard case .found(let endpoint) = lookup.value else { return "\(endpoint.file.name) would be broken" }
        let values = endpoint.definition.stubs?.variants[named: variant]?.headers.flatMap { $0.value.value.value ?? [] }
        guard values?.allSatisfy(\.placeholders.isEmpty) == true else { return "its stub would have placeholders" }
        do throws(StubProblem) {
            let script = try draft.stub(variant, of: endpoint)
            return script.answers.map(\.outcome) == [answer.outcome] ? nil : "its stub would answer something else"
        } catch {
            return "its stub would be broken: \(error.diagnostic.message)"
        }
    }
}

extension RecordedAnswer {
    fileprivate var outcome: StubAnswer.Outcome {
        let lines = headers.headers.flatMap { header in
            header.values.map { HeaderFields.Field(header.name, $0) }
        }
        return .answer(status: status, headers: HeaderFields(lines), body: body)
    }
}
