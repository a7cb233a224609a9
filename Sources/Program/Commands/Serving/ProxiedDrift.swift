import CommandLineKit
import Exchange
import Recording
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliMocking
import ReqcliRedaction
import ReqcliText
import RequestBuilding
import Shapes

/// Compares responses of another server with the variants that respond by default: the status, the type, and the shape
/// of JSON.
struct ProxiedDrift: Sendable {
    let workspace: Workspace
    /// The variant that the environment names for all endpoints; nil for none.
    let rest: String?
    /// Whether a new member counts as a failure, too.
    let isStrict: Bool

    /// The differences between one response and a variant.
    struct Found: Sendable {
        let variant: String
        let differences: [Difference]

        /// The first difference that may break a client which was made for the variant.
        var failure: Difference? { differences.first(where: \.isFailure) }

        /// The first differences, one per line.
        var lines: [String] {
            let shown = differences.prefix(Self.mostShown).map(\.text)
            let more = differences.count - shown.count
            return shown + (more > 0 ? ["and \(more) more"] : [])
        }

        private static let mostShown = 20

        /// The differences without the secrets of the request, which a response may repeat as names of members.
        func hiding(_ redactor: Redactor) -> Found {
            Found(
                variant: variant,
                differences: differences.map { each in
                    Difference(
                        kind: each.kind, path: each.path.map(redactor.redact), stub: each.stub,
                        answer: each.answer.map(redactor.redact), place: each.place, isFailure: each.isFailure)
                })
        }
    }

    struct Difference: Sendable {
        /// `status`, `contentType`, or the kind of a difference in shape: `gone`, `type`, `null`, `format`, `new`.
        let kind: String
        let path: String?
        let stub: String?
        let answer: String?
        var place: Place?
        var isFailure = true

        var text: String {
            let end = place.map { "   \($0.description)" } ?? ""
            guard let path else { return "\(kind) \(answer ?? "none") in place of \(stub ?? "none")" }
            return "\(kind) \(path): \(stub ?? "nothing") in the stub, \(answer ?? "nothing") in the response\(end)"
        }

        var json: OrderedJSON {
            .object([
                "kind": .string(kind), "path": path.map { .string($0) }, "stub": stub.map { .string($0) },
                "answer": answer.map { .string($0) }, "place": place.map { .string($0.description) },
            ])
        }
    }

    /// The variant that responds by default; nil if no variant does.
    func variant(of endpoint: LocatedEndpoint) -> String? {
        rest ?? endpoint.definition.stubs?.standardName
    }

    /// The differences between a response and the default variant. Nil if there are no differences, or if the two can't be
    /// compared.
    func differences(_ head: ResponseHead, _ body: [UInt8], of endpoint: LocatedEndpoint) -> Found? {
        // Reads the files again, because they may have changed since they were read for serving.
        let workspace = Workspace(
            root: workspace.root, currentFolder: workspace.currentFolder, files: workspace.files)
        guard let name = variant(of: endpoint), let stub = try? workspace.stubBody(of: endpoint, name), !stub.isLeftOut
        else { return nil }
        if case .unfit = stub.content { return nil }
        func found(_ differences: [Difference]) -> Found? {
            differences.isEmpty ? nil : Found(variant: name, differences: differences)
        }
        // A response with another status has another body, which is not compared.
        if head.status != stub.status {
            return found([
                Difference(kind: "status", path: nil, stub: String(stub.status), answer: String(head.status))
            ])
        }
        let given = (try? workspace.stubs(name, of: endpoint, ifUnknown: .broken))?.stubs.first
        let types = (stub: Self.mediaType(given?.headers), answer: Self.mediaType(head.headers))
        if let type = types.stub, type != types.answer {
            return found([Difference(kind: "contentType", path: nil, stub: type, answer: types.answer)])
        }
        guard case .json(let value, _) = stub.content,
            let plain = try? ContentCoding.decode(body, head.contentCodings, limit: RecordedResponse.limit)
        else { return nil }
        guard let root = JSONDocument.read(SourceFile(name: "response", bytes: plain)).validRoot else {
            return found([Difference(kind: "type", path: "$", stub: "JSON", answer: "something else")])
        }
        guard let shapes = try? (stub.rules.shape(ofStub: value), stub.rules.shape(ofResponse: root)) else {
            return nil
        }
        return found(
            shapes.0.findings(against: shapes.1).map { finding in
                Difference(
                    kind: finding.kind.rawValue, path: finding.path, stub: finding.stub, answer: finding.answer,
                    place: finding.place.map { Place(value.place.file, $0) },
                    isFailure: isStrict || finding.kind.isBreaking)
            })
    }

    private static func mediaType(_ headers: HeaderFields?) -> String? {
        headers?["Content-Type"].map { MediaType($0).name }
    }
}
