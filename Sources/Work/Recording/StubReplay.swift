import Exchange
import Foundation
import ReqcliDefinitions
import ReqcliMocking
import ReqcliText
import RequestBuilding

/// Replays a variant that is not written yet, to check that it gives the recorded response.
struct StubReplay {
    let workspace: Workspace
    let endpoint: LocatedEndpoint
    let variant: String

    /// Checks the files that are about to be written. Nil if the files are valid and replay the response.
    func fault(of edit: EndpointFileEdit, file: String, _ response: RecordedResponse) -> Wording? {
        var drafts = [workspace.path(edit.path): edit.after]
        if !response.body.isEmpty { drafts[workspace.path("stubs/\(file)")] = response.body }
        let draft = Workspace(
            root: workspace.root, currentFolder: workspace.currentFolder, files: workspace.files.with(drafts: drafts))
        let lookup = draft.endpoint(endpoint.id)
        if let problem = lookup.diagnostics.first(where: { $0.severity == .error }) {
            return "\(own: endpoint.file.name) would not be valid: \(problem.wording)"
        }
        guard case .found(let endpoint) = lookup.value else { return "\(own: endpoint.file.name) would not be valid" }
        let values = endpoint.definition.stubs?.variants[named: variant]?.headers.flatMap { $0.value.set ?? [] }
        guard values?.allSatisfy(\.placeholders.isEmpty) == true else {
            return "the saved stub would contain placeholders"
        }
        do throws(Failure) {
            let stubs = try draft.stubs(variant, of: endpoint, ifUnknown: .broken).stubs
            return stubs.count == 1 && response.isGiven(by: stubs[0]) ? nil : "the saved stub would respond differently"
        } catch {
            return "the saved stub would not be valid: \(error.wording)"
        }
    }
}

extension RecordedResponse {
    fileprivate func isGiven(by stub: Stub) -> Bool {
        let lines = headers.headers.flatMap { header in
            header.values.map { HeaderFields.Field(header.name, $0) }
        }
        return stub.error == nil && stub.status == status && stub.headers == HeaderFields(lines)
            && stub.body == .data(Data(body))
    }
}
