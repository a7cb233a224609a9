import Checking
import CommandLineKit
import Exchange
import Foundation
import Recording
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliMocking
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Saves a real response as a stub variant of the endpoint that was called. The variant is in the endpoint's file, and its body
/// in a file below `stubs/`.
final class StubRecorder {
    private let name: String
    private let mayReplace: Bool
    private let call: Call
    private let assembled: AssembledRequest
    private let captures: CaptureReader
    private let context: Context
    private let fileSet: FileSet
    private var body: [UInt8] = []
    private var isTooLarge = false

    /// Nil if no response is to be saved. Reasons why the response can't be saved are reported before the request is sent.
    init?(
        _ arguments: ParsedArguments, _ assembled: AssembledRequest, isStubbed: Bool, _ context: Context,
        _ interruption: Interruption
    ) throws(Failure) {
        guard let name = arguments[RecordingOptions.saveStub] else { return nil }
        self.name = name
        mayReplace = arguments[RecordingOptions.force]
        call = assembled.call
        self.assembled = assembled
        let compiled = CaptureReader.compile(call.endpoint)
        guard let captures = compiled.value else { throw Failure(.broken, compiled.diagnostics) }
        self.captures = captures.ofSecrets
        self.context = context
        let fileSet = FileSet(files: context.files, writing: context.writing)
        self.fileSet = fileSet
        if isStubbed {
            throw Failure(
                .usage, code: .stubUnsaved,
                "--save-stub needs the response of a server, but the environment \(call.environment.name) responds from stubs",
                hint: "name another environment with --env")
        }
        if !mayReplace { try refuseWhatIsThere() }
        interruption.onEnd { fileSet.settle() }
    }

    /// Read when it is used, because each signature adds to it.
    private var redactor: Redactor { assembled.redactor }
    private var endpoint: LocatedEndpoint { call.endpoint }
    private var workspace: Workspace { call.workspace }

    private func refuseWhatIsThere() throws(Failure) {
        let advice = "--force replaces it; or choose another name"
        if let variant = endpoint.definition.stubs?.variants.first(where: { $0.name == name }) {
            throw Failure(
                .usage,
                [
                    Diagnostic(
                        code: .variantExists, "\(endpoint.id) already has a stub variant \"\(name)\"",
                        at: variant.namePlace, hint: advice)
                ])
        }
        if let file = files.existingBody {
            throw Failure(
                .usage, code: .fileExists, "\(workspace.shown("stubs/\(file)")) already exists", hint: advice)
        }
    }

    private var files: VariantFiles {
        VariantFiles(workspace, endpoint, variant: name, mayReplace: mayReplace, context.writing, fileSet)
    }

    // MARK: Keeping

    func take(_ chunk: Data) {
        isTooLarge = isTooLarge || body.count + chunk.count > RecordedResponse.limit
        if isTooLarge { body = [] } else { body += chunk }
    }

    func save(_ head: ResponseHead) throws(Failure) {
        if isTooLarge { throw unsaved(Self.tooLarge) }
        let response: RecordedResponse
        do throws(ContentCodingProblem) {
            response = try RecordedResponse(head, body: body, captures, redactor)
        } catch {
            throw unsaved(Self.reason(error))
        }
        do throws(VariantFiles.Problem) {
            tell(try files.write(response), response)
        } catch {
            throw unsaved(error.reason)
        }
    }

    // MARK: Reporting

    private func tell(_ written: VariantFiles.Written, _ response: RecordedResponse) {
        let body = written.bodyFile.map { " and \(workspace.shown($0))" } ?? ""
        context.note(
            "saved as the stub variant \(name) of \(endpoint.id) in \(workspace.shown(written.endpointFile))\(body)")
        var masked = response.headers.credentials
        if response.maskedCount > 0 {
            masked.append(
                response.maskedCount == 1 ? "a secret in its body" : "\(response.maskedCount) secrets in its body")
        }
        if !masked.isEmpty { context.note("masked in the variant: \(masked.joined(separator: ", "))") }
        if !response.headers.unwritable.isEmpty {
            context.note(
                "not saved, because an endpoint file cannot contain it: \(response.headers.unwritable.joined(separator: ", "))"
            )
        }
        for problem in response.lostSecrets {
            context.report(
                .warning, code: problem.code, "\(problem.message): the saved files may still contain a secret",
                hint: "correct \"capture\", and check the saved files")
        }
    }

    private func unsaved(_ reason: Wording) -> Failure {
        Failure(
            .outputFailed, code: .stubUnsaved,
            "cannot save the response as the stub variant \"\(own: name)\" of \(own: endpoint.id): \(redactor.redact(reason))"
        )
    }

    private static let tooLarge: Wording = "its body is larger than \(RecordedResponse.limit >> 20) MiB"

    private static func reason(_ problem: ContentCodingProblem) -> Wording {
        guard case .unknown(let coding) = problem.kind else { return problem.reason }
        return
            "its body has the Content-Encoding \(coding), which reqcli doesn't know; ask for another one with -H 'Accept-Encoding: gzip'"
    }
}

extension Diagnostic.Code {
    static let stubUnsaved: Self = "stub.unsaved"
    static let variantExists: Self = "variant.exists"
}
