import Assembly
import Checking
import CommandLineKit
import ContentCoding
import Definitions
import Exchange
import Foundation
import Mocking
import Redaction
import RequestBuilding
import SourceText

/// Keeps a real response as a stub variant of the endpoint that gave it: in the endpoint's file, its body below `stubs/`.
final class StubRecorder {
    private let name: String
    private let mayReplace: Bool
    private let call: Call
    private let redactor: Redactor
    private let captures: CaptureReader
    private let context: Context
    private let fileSet: FileSet
    private var body: [UInt8] = []
    private var isTooLarge = false

    /// Nil if no response is to be saved. Reasons why none can be saved are reported before the request is sent.
    init?(
        _ arguments: ParsedArguments, _ assembled: AssembledRequest, isStubbed: Bool, _ context: Context,
        _ interruption: Interruption
    ) throws(Failure) {
        guard let name = arguments[RecordingOptions.saveStub] else { return nil }
        self.name = name
        mayReplace = arguments[RecordingOptions.force]
        call = assembled.call
        redactor = assembled.redactor
        let compiled = CaptureReader.compile(call.endpoint)
        guard let captures = compiled.value else { throw Failure(.broken, compiled.diagnostics) }
        self.captures = captures.ofSecrets
        self.context = context
        let fileSet = FileSet(files: context.files, writing: context.writing)
        self.fileSet = fileSet
        if isStubbed {
            throw Failure(
                .usage, code: .stubUnsaved,
                "--save-stub keeps the response of a server, and \(call.environment.name) responds from stubs",
                hint: "name another environment with --env")
        }
        if !mayReplace { try refuseWhatIsThere() }
        interruption.onEnd { fileSet.settle() }
    }

    private var endpoint: LocatedEndpoint { call.endpoint }
    private var workspace: Workspace { call.workspace }

    private func refuseWhatIsThere() throws(Failure) {
        let advice = "--force replaces it; or choose another name"
        if let variant = endpoint.definition.stubs?.variants.first(where: { $0.name == name }) {
            throw Failure(
                .usage,
                [
                    Diagnostic(
                        code: .variantExists, "\(endpoint.id) has a stub variant \"\(name)\" already",
                        at: variant.namePlace, hint: advice)
                ])
        }
        let wanted = Set(StubFileExtension.all.map(fileName))
        if let file = stubFiles.first(where: wanted.contains) {
            throw Failure(
                .usage, code: .fileExists, "\(workspace.shown("stubs/\(file)")) already exists", hint: advice)
        }
    }

    private var stubFiles: [String] { (try? workspace.files.names(workspace.path("stubs"))) ?? [] }

    private func fileName(_ fileExtension: String) -> String { "\(endpoint.id).\(name).\(fileExtension)" }

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
        // Another run may be about to add a variant to the same file: it is read and written under one lock.
        let unlock = context.writing.lockFolder(workspace.path("endpoints"))
        defer { unlock() }
        let file = fileName(response.fileExtension)
        let edit = try edit(response, file)
        if edit.replacesVariant, !mayReplace { throw unsaved("\(endpoint.file.name) now has such a variant") }
        let replay = StubReplay(workspace: workspace, endpoint: endpoint, variant: name)
        if let fault = replay.fault(of: edit, file: file, response) { throw unsaved(fault) }
        let set = try files(edit, file, response)
        do throws(WritingProblem) { try fileSet.write(set) } catch { throw unsaved(error.reason) }
        // The file is of this run, or of one that was killed.
        for file in stubFiles where file.hasPrefix("\(temporaryStem).") {
            context.writing.remove(workspace.path("stubs/\(file)"))
        }
        tell(edit, file, response)
    }

    private func edit(_ response: RecordedResponse, _ file: String) throws(Failure) -> EndpointFileEdit {
        do throws(EditProblem) {
            return try workspace.edit(settingVariant: name, to: response.variant(file: file), of: endpoint)
        } catch {
            throw unsaved(error.reason)
        }
    }

    /// The name of a body while the file that has it in the end is replaced. No variant is called so.
    private var temporaryStem: String { "\(endpoint.id).\(name)~" }

    /// The body's file first: until the endpoint's file has its new bytes, nothing leads to it.
    ///
    /// Where the endpoint's file leads to the body that has to give way, it leads to a copy of the new one meanwhile: a
    /// program that is killed between two of these files leaves the old variant with the old body, or the new with the new.
    private func files(
        _ edit: EndpointFileEdit, _ file: String, _ response: RecordedResponse
    ) throws(Failure) -> [FileSet.File] {
        // A link stays a link: what it points to is replaced.
        let path = workspace.path(edit.path)
        let target = workspace.files.resolve(path) ?? path
        func endpointFile(_ edit: EndpointFileEdit) -> FileSet.File {
            FileSet.File(path: target, bytes: edit.after, isThere: true)
        }
        func bodyFile(_ file: String) -> FileSet.File {
            FileSet.File(path: workspace.path("stubs/\(file)"), bytes: response.body, isThere: stubFiles.contains(file))
        }
        if response.body.isEmpty { return [endpointFile(edit)] }
        let body = bodyFile(file)
        guard body.isThere else { return [body, endpointFile(edit)] }
        guard mayReplace else { throw unsaved("stubs/\(file) was created in the meantime") }
        // Through a link a file somewhere else would be lost.
        guard let folder = workspace.files.resolve(workspace.path("stubs")),
            workspace.files.resolve(body.path) == FilePath.join(folder, file), workspace.files.kind(body.path) == .file
        else { throw unsaved("stubs/\(file) is not a regular file") }
        // A run that was killed left it with the copy.
        if edit.replacedBody?.hasPrefix("\(temporaryStem).") == true { return [body, endpointFile(edit)] }
        let copy = "\(temporaryStem).\(response.fileExtension)"
        return [bodyFile(copy), endpointFile(try self.edit(response, copy)), body, endpointFile(edit)]
    }

    // MARK: Telling

    private func tell(_ edit: EndpointFileEdit, _ file: String, _ response: RecordedResponse) {
        let body = response.body.isEmpty ? "" : " and \(workspace.shown("stubs/\(file)"))"
        context.note(
            "saved as the stub variant \(name) of \(endpoint.id) in \(workspace.shown(edit.path))\(body)")
        var masked = response.headers.credentials
        if response.maskedCount > 0 {
            masked.append(
                response.maskedCount == 1 ? "a secret in its body" : "\(response.maskedCount) secrets in its body")
        }
        if !masked.isEmpty { context.note("masked in it: \(masked.joined(separator: ", "))") }
        if !response.headers.unwritable.isEmpty {
            context.note(
                "not saved, since no endpoint file can hold it: \(response.headers.unwritable.joined(separator: ", "))")
        }
        for problem in response.lostSecrets {
            context.report(
                .warning, code: problem.code, "\(problem.message): a secret may be left in what was saved",
                hint: "correct \"capture\", or look at the files")
        }
    }

    private func unsaved(_ reason: String) -> Failure {
        Failure(
            .outputFailed, code: .stubUnsaved,
            "cannot save the response as the stub variant \"\(name)\" of \(endpoint.id): \(redactor.redact(reason))")
    }

    private static let tooLarge = "its body is larger than \(RecordedResponse.limit >> 20) MiB"

    private static func reason(_ problem: ContentCodingProblem) -> String {
        switch problem.kind {
        case .unknown(let coding):
            "its body is coded as \(coding), which isn't known here; ask for another with -H 'Accept-Encoding: gzip'"
        case .damaged: "its body is not what its Content-Encoding says"
        case .cutOff: "its body ends before its Content-Encoding does"
        case .tooLarge: tooLarge
        case .noLibrary(let library): "its body is compressed, and \(library) is not installed"
        }
    }
}

extension Diagnostic.Code {
    static let stubUnsaved: Self = "stub.unsaved"
    static let variantExists: Self = "variant.exists"
}

/// Answers from a variant that is not written yet: what comes out must be what came in.
struct StubReplay {
    let workspace: Workspace
    let endpoint: LocatedEndpoint
    let variant: String

    /// Checks files about to be written; nil if they are valid and replay the response.
    func fault(of edit: EndpointFileEdit, file: String, _ response: RecordedResponse) -> String? {
        var drafts = [workspace.path(edit.path): edit.after]
        if !response.body.isEmpty { drafts[workspace.path("stubs/\(file)")] = response.body }
        let draft = Workspace(
            root: workspace.root, currentFolder: workspace.currentFolder, files: workspace.files.with(drafts: drafts))
        let lookup = draft.endpoint(endpoint.id)
        if let problem = lookup.diagnostics.first(where: { $0.severity == .error }) {
            return "\(endpoint.file.name) would be broken: \(problem.message)"
        }
        guard case .found(let endpoint) = lookup.value else { return "\(endpoint.file.name) would be broken" }
        let values = endpoint.definition.stubs?.variants[named: variant]?.headers.flatMap { $0.value.value.value ?? [] }
        guard values?.allSatisfy(\.placeholders.isEmpty) == true else { return "its stub would have placeholders" }
        do throws(Failure) {
            let stubs = try draft.stubs(variant, of: endpoint, ifUnknown: .broken).stubs
            return stubs.count == 1 && response.isGiven(by: stubs[0]) ? nil : "its stub would respond differently"
        } catch {
            return "its stub would be broken: \(error.message)"
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
