import Assembly
import CommandLineKit
import Definitions
import Foundation
import Importing
import RequestBuilding
import SourceText

/// Compares the requests of the written endpoints with those that the source states.
struct ImportProof {
    private let imported: ImportedWorkspace
    private let workspace: Workspace
    private let environment: String
    private let isExact: Bool
    private let context: Context

    init(
        _ imported: ImportedWorkspace, _ workspace: Workspace, _ environment: String, isExact: Bool, _ context: Context
    ) {
        self.isExact = isExact
        self.imported = imported
        self.workspace = workspace
        self.environment = environment
        self.context = context
    }

    /// A note for each part in which a request differs.
    func notes() -> [ImportNote] {
        let stated = imported.requests.indices.filter { imported.requests[$0].stated != nil }
        guard !stated.isEmpty, case .found(let chain) = workspace.environment(environment).value else { return [] }
        let assembler = Assembler(world: world)
        return stated.flatMap { index -> [ImportNote] in
            let request = imported.requests[index]
            guard let stated = request.stated, case .found(let endpoint) = workspace.endpoint(imported.ids[index]).value
            else { return [] }
            var call = Call(workspace: workspace, endpoint: endpoint, environment: chain)
            call.readsBodyFiles = false
            call.arguments = samples(of: request)
            do throws(Failure) {
                let made = try assembler.assemble(call).request
                return differences(stated, made).map {
                    ImportNote(
                        .approximated, "the endpoint sends something else than the source", $0, at: request.place)
                }
            } catch {
                // A file that is missing has a note of its own.
                if error.diagnostics.allSatisfy({ $0.code == .fileMissing }) { return [] }
                return [
                    ImportNote(
                        .toDo, "the endpoint can't be sent as it is", "\(imported.ids[index]): \(error.message)",
                        at: request.place)
                ]
            }
        }
    }

    /// Values for params that have no default.
    private func samples(of request: ImportedRequest) -> [ParameterArgument] {
        request.params.compactMap { param in
            let members = param.value.objectMembers ?? []
            guard !members.contains(where: { $0.name == "default" }),
                let example = members.first(where: { $0.name == "example" })?.value
            else { return nil }
            return ParameterArgument(name: param.name, source: .value(example))
        }
    }

    /// The world as it would be with the values of the source in its variables.
    private var world: World {
        var values: [String: String] = [:]
        for secret in imported.secrets {
            values[secret.variable] = secret.value ?? StatedRequest.standIn(secret.variable)
        }
        let known = values
        var world = context.world
        world.variable = { known[$0] ?? StatedRequest.standIn($0) }
        return world
    }

    private func differences(_ stated: StatedRequest, _ made: PreparedRequest) -> [String] {
        var found: [String] = []
        if stated.method != made.method.token { found.append("method \(made.method.token)") }
        if !Self.isSame(stated.url, made.url.absoluteString) { found.append("URL") }
        let names = stated.headers.map(\.name).filter { !stated.inherited.contains($0.lowercased()) }
        for name in Set(names.map { $0.lowercased() }).sorted() {
            let values = stated.headers.filter { $0.name.lowercased() == name }.map(\.value)
            let sent = made.headers.values(name)
            // Every sender says so where nothing else does.
            if name == "accept", sent.isEmpty, values == ["*/*"] { continue }
            if sent != values { found.append("header \(name)") }
        }
        let known = Set(names.map { $0.lowercased() }).union(["user-agent", "accept"]).union(stated.inherited)
        for field in made.headers where !known.contains(field.name.lowercased()) {
            found.append("header \(field.name), which the source doesn't send")
        }
        if let body = stated.body, let sent = Self.bytes(of: made), !isSame(body: body, sent) { found.append("body") }
        return found
    }

    /// Whether two URLs are the same on the wire, but for escapes that mean the same.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        func plain(_ url: String) -> [UInt8] {
            // Without a path the root is asked for.
            let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
            let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
            let path = url[end...].hasPrefix("/") ? url[end...] : "/" + url[end...]
            return Array(PercentEncoding.decoded(url[..<end].lowercased() + path).utf8)
        }
        return plain(one) == plain(other)
    }

    /// Whether two bodies are the same: byte for byte, as JSON, or as a form once it is decoded.
    private func isSame(body one: [UInt8], _ other: [UInt8]) -> Bool {
        if one == other { return true }
        if isExact { return false }
        let documents = [one, other].map { JSONDocument.read(SourceFile(name: "body", bytes: $0)) }
        if documents.allSatisfy(\.problems.isEmpty), let first = documents[0].root, let second = documents[1].root {
            return first.isEquivalent(to: second)
        }
        let texts = [one, other].map {
            PercentEncoding.decoded(String(decoding: $0, as: UTF8.self).replacing("+", with: " "))
        }
        return texts[0] == texts[1]
    }

    private static func bytes(of request: PreparedRequest) -> [UInt8]? {
        switch request.body {
        case nil: []
        case .data(let data): Array(data)
        case .file, .multipart: nil
        }
    }
}
