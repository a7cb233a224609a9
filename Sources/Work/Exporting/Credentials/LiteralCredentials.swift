import ReqcliBasics
package import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// Finds credentials that the files of a workspace contain as text, and writes files in which environment variables take their
/// place. All formats export these files, so that no export holds a credential.
package struct LiteralCredentials {
    /// The changed files, by their paths in the file system.
    package private(set) var drafts: [String: [UInt8]] = [:]
    package private(set) var notes: [ConversionNote] = []
    private var variables: CredentialVariables

    package init(in workspace: Workspace) {
        func documents(_ entries: [Workspace.Entry]) -> [(path: String, root: JSONValue)] {
            entries.compactMap { entry in
                let path = workspace.path(entry.path)
                guard let bytes = try? workspace.files.read(path, Workspace.largestFile) else { return nil }
                let file = SourceFile(name: workspace.shown(entry.path), bytes: bytes)
                return JSONDocument.read(file, syntax: entry.syntax).validRoot.map { (path, $0) }
            }
        }
        let environments = documents(workspace.environmentEntries().value)
        let endpoints = documents(workspace.endpointEntries().value)
        variables = CredentialVariables((environments + endpoints).map(\.root))
        for (path, root) in environments { change(path, root) { $0.addEnvironment(root) } }
        for (path, root) in endpoints { change(path, root) { $0.addEndpoints(root) } }
    }

    private mutating func change(_ path: String, _ root: JSONValue, _ add: (inout CredentialEdits) -> Void) {
        var edits = CredentialEdits(variables)
        add(&edits)
        variables = edits.variables
        if edits.all.isEmpty { return }
        let sorted = edits.all.sorted { $0.range.lowerBound < $1.range.lowerBound }
        drafts[path] = sorted.applied(to: root.place.file.bytes)
        notes += edits.found.map { name, place in
            ConversionNote(
                .toDo, "a credential in a file is not exported: give the variable its value", name, at: place)
        }
    }
}

/// The names of environment variables that take the place of credentials. Equal credentials get the same name.
struct CredentialVariables {
    private var names: [String: String] = [:]
    private var taken: UniqueNames

    /// - Parameter files: The files of a workspace. The variables that they name are taken.
    init(_ files: [JSONValue]) {
        var known: Set<String> = []
        for value in files.flatMap(\.descendants) {
            if value.kind == .object, let name = value["env"]?.string { known.insert(name) }
            guard let text = value.string, text.contains("$env.") else { continue }
            let bytes = Array(text.utf8)
            for case .placeholder(let range) in TemplateReader(bytes) {
                let name = String(decoding: bytes[range].filter { $0 != .space }, as: UTF8.self)
                if name.hasPrefix("$env.") { known.insert(String(name.dropFirst(5))) }
            }
        }
        taken = UniqueNames(known, separator: "_")
    }

    /// The variable for a credential, from the name of the header, item or member that has it.
    mutating func name(for credential: String, named name: String) -> String {
        if let known = names[credential] { return known }
        var wanted: [UInt8] = []
        for byte in name.utf8 {
            let isStart = byte &- 0x41 < 26 && wanted.last.map { $0 != UInt8(ascii: "_") } ?? false
            let isAfterSmall =
                isStart && name.utf8.contains { $0 &- 0x61 < 26 } && !name.utf8.contains(UInt8(ascii: "-"))
            if isAfterSmall { wanted.append(UInt8(ascii: "_")) }
            wanted.append(byte.isAlphanumeric ? (byte &- 0x61 < 26 ? byte - 0x20 : byte) : UInt8(ascii: "_"))
        }
        let text = String(decoding: wanted, as: UTF8.self)
        let isName = text.utf8.first.map { !$0.isDigit } ?? false
        let own = taken.take(isName ? text : "SECRET_" + text)
        names[credential] = own
        return own
    }
}
