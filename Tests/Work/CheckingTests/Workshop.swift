import Calling
import Checking
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding
import TestSupport

/// What the tests make their things of: endpoints from JSON, answers from a few words.
enum Workshop {
    /// A workspace of files in memory; paths as seen from its root.
    static func workspace(_ files: [String: String]) -> Workspace {
        let files = MemoryFiles(files)
        return Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem)
    }

    /// The endpoints of one file, `endpoints/a.json` unless said otherwise.
    static func endpoints(_ text: String, file: String = "a") -> [LocatedEndpoint] {
        let workspace = workspace(["endpoints/\(file).json": text])
        return workspace.endpointEntries().value.flatMap { workspace.load(endpointFile: $0).value?.located ?? [] }
    }

    /// An expectation as an endpoint file holds it; `endpoints/a.json` is `{"expect": …}`.
    static func expectation(_ text: String) -> Diagnosed<CompiledExpectation?> {
        guard let expectation = endpoints("{\"expect\": \(text)}").first?.definition.request.expectation?.set
        else { return Diagnosed(nil) }
        return CompiledExpectation.compile(expectation, SchemaStore())
    }

    /// What a response lacks that is held against a description.
    static func failures(
        describedBy text: String, _ response: ReceivedResponse,
        expecting expectation: String = #"{"openapi": "api.yaml"}"#, files: [String: String] = [:],
        redactor: Redactor = Redactor([])
    ) throws -> [ExpectationFailure] {
        let files = files.merging(["api.yaml": text, "endpoints/a.json": "{\"expect\": \(expectation)}"]) { $1 }
        let workspace = workspace(files)
        let entries = workspace.endpointEntries().value
        let endpoint = entries.first.flatMap { workspace.load(endpointFile: $0).value?.located.first }
        let source = endpoint?.definition.request.expectation?.set
        let compiled = CompiledExpectation.compile(try required(source, "an expectation"), workspace.schemas)
        let ready = try required(compiled.value, "\(compiled.diagnostics.map(\.message))").filled(with: [])
        return ready.failures(of: response, redactor: redactor)
    }

    /// What of an expectation without placeholders an answer fails.
    static func failures(
        _ expectation: String, _ answer: ReceivedResponse, redactor: Redactor = Redactor([])
    ) throws -> [ExpectationFailure] {
        let compiled = try required(Self.expectation(expectation).value, "an expectation: \(expectation)")
        return try compiled.filled(with: []).failures(of: answer, redactor: redactor)
    }

    static func required<Value>(_ value: Value?, _ what: String) throws -> Value {
        guard let value else { throw Missing(what: what) }
        return value
    }

    struct Missing: Error {
        let what: String
    }
}

extension ReceivedResponse {
    static func json(_ text: String, status: Int = 200) -> ReceivedResponse {
        ReceivedResponse(
            status: status, headers: ["Content-Type": "application/json"], body: ReceivedBody(Array(text.utf8)),
            duration: .milliseconds(12))
    }

    static func text(_ text: String, status: Int = 200, headers: HeaderFields = [:]) -> ReceivedResponse {
        ReceivedResponse(
            status: status, headers: headers, body: ReceivedBody(Array(text.utf8)), duration: .milliseconds(12))
    }
}
