import Checking
package import Exchange
import Foundation
package import ReqcliAssembly
package import ReqcliDefinitions
package import ReqcliMocking
package import ReqcliRedaction
package import ReqcliText
import RequestBuilding

/// Keeps the responses to a server's requests as stub variants, each under the condition that the request has the same
/// params.
///
/// An existing variant is not changed, unless `mayReplace` is true. Only one response is stored at a time.
package struct RequestRecorder {
    /// The most variants that one run writes.
    package static let limit = 1000

    package enum Outcome: Sendable {
        case kept(variant: String, VariantFiles.Written, RecordedResponse)
        /// An existing variant for the same params has the same response, so nothing is written.
        case same(variant: String)
        /// An existing variant for the same params has another response. The existing variant is kept.
        case differs(variant: String)
        case refused(reason: Wording)
        /// The files can't be written.
        case failed(reason: Wording)
        /// This run has already made the maximum number of variants.
        case full
    }

    private let root: Workspace
    private let name: String
    private let mayReplace: Bool
    private let writing: FileWriting
    private let fileSet: FileSet
    private let limit: Int
    private var count = 0

    /// - Parameters:
    ///   - name: The name of the first variant. Further variants have this name with a number after it.
    ///   - mayReplace: Whether a variant for the same params is replaced by another response.
    package init(
        _ workspace: Workspace, name: String, mayReplace: Bool, _ writing: FileWriting, limit: Int = Self.limit
    ) {
        self.limit = limit
        root = workspace
        self.name = name
        self.mayReplace = mayReplace
        self.writing = writing
        fileSet = FileSet(files: workspace.files, writing: writing)
    }

    /// Keeps a response.
    ///
    /// - Parameters:
    ///   - id: The endpoint that the request was for.
    ///   - reading: The request's params.
    ///   - body: The body as received, with its content codings.
    ///   - redactor: A redactor for the secrets of the request.
    package mutating func keep(
        _ head: ResponseHead, body: [UInt8], to id: String, _ reading: RequestReading, _ redactor: Redactor
    ) -> Outcome {
        if count >= limit { return .full }
        if head.status >= 400, !reading.problems.isEmpty {
            return .refused(reason: "the server rejected the request, which differs from what \(own: id) describes")
        }
        // The files may have changed since they were read for serving.
        let workspace = Workspace(root: root.root, currentFolder: root.currentFolder, files: root.files)
        guard case .found(let endpoint) = workspace.endpoint(id).value else {
            return .failed(reason: "\(own: id) can't be read from its file")
        }
        guard let captures = CaptureReader.compile(endpoint).value?.ofSecrets else {
            return .refused(reason: #"the "capture" of the endpoint has a mistake"#)
        }
        let response: RecordedResponse
        do throws(ContentCodingProblem) {
            response = try RecordedResponse(head, body: body, captures, redactor)
        } catch {
            return .refused(reason: error.reason)
        }
        do throws(RecordedCondition.Problem) {
            let condition = try RecordedCondition.make(of: endpoint, reading, redactor)
            return keep(response, condition, endpoint, workspace)
        } catch {
            return .refused(reason: error.reason)
        }
    }

    private mutating func keep(
        _ response: RecordedResponse, _ condition: OrderedJSON?, _ endpoint: LocatedEndpoint, _ workspace: Workspace
    ) -> Outcome {
        var variant: String?
        if let known = recorded(under: condition, endpoint) {
            if workspace.gives(response, known, endpoint) { return .same(variant: known) }
            if !mayReplace { return .differs(variant: known) }
            variant = known
        }
        let isNew = variant == nil
        let name = variant ?? freeName(endpoint, workspace)
        let files = VariantFiles(workspace, endpoint, variant: name, mayReplace: !isNew, writing, fileSet)
        do throws(VariantFiles.Problem) {
            let written = try files.write(response, when: condition)
            count += 1
            return .kept(variant: name, written, response)
        } catch {
            return error.isOfFiles ? .failed(reason: error.reason) : .refused(reason: error.reason)
        }
    }

    /// The name of the variant with this condition that this run or an earlier run has recorded.
    private func recorded(under condition: OrderedJSON?, _ endpoint: LocatedEndpoint) -> String? {
        endpoint.definition.stubs?.variants.first { variant in
            isOwn(variant.name) && variant.value.condition?.json == condition
        }?.name
    }

    private func isOwn(_ variant: String) -> Bool {
        guard variant.hasPrefix(name) else { return false }
        let rest = variant.dropFirst(name.count)
        return rest.isEmpty || rest.first == "-" && Int(rest.dropFirst()) != nil
    }

    /// The first name for which neither a variant nor the file of a body exists.
    private func freeName(_ endpoint: LocatedEndpoint, _ workspace: Workspace) -> String {
        let variants = Set(endpoint.definition.stubs?.variants.map(\.name) ?? [])
        let files = Set((try? workspace.files.names(workspace.path("stubs"))) ?? [])
        var number = 1
        while true {
            let name = number == 1 ? name : "\(name)-\(number)"
            let isTaken =
                variants.contains(name)
                || StubFileExtension.all.contains { files.contains("\(endpoint.id).\(name).\($0)") }
            if !isTaken { return name }
            number += 1
        }
    }
}

extension StubCondition {
    /// The condition as written in its file; nil if the condition has comments.
    fileprivate var json: OrderedJSON? {
        return JSONDocument.read(SourceFile(name: "when", bytes: Array(place.file.bytes[place.range]))).validRoot.map {
            OrderedJSON($0)
        }
    }
}

extension Workspace {
    /// Whether a variant has the status, the type and the body of a response. Other headers may differ from one call to
    /// the next.
    fileprivate func gives(_ response: RecordedResponse, _ variant: String, _ endpoint: LocatedEndpoint) -> Bool {
        guard let stub = try? stubs(variant, of: endpoint, ifUnknown: .broken).stubs.first else { return false }
        let type = response.headers.headers.first { $0.name.lowercased() == "content-type" }?.values
        return stub.error == nil && stub.status == response.status && stub.body == .data(Data(response.body))
            && stub.headers.values("Content-Type") == type ?? []
    }
}
