import Foundation
import ReqcliDefinitions
import ReqcliText

/// Resolves references to schemas in other places: files below `schemas/`, and parts of these files.
extension ModelWriter {
    /// The type of a schema in another place: a file below `schemas/`, or a part of such a file.
    mutating func reference(_ text: String, _ context: Context, at place: Place) -> ModelType {
        guard let target = target(of: text, context) else {
            return leave("a schema that can't be read", context, at: place)
        }
        let (schema, inner, pointer, file) = (target.schema, target.context, target.pointer, target.context.file)
        let key = context.key(file, pointer)
        let isOptional = schema.isNullable(in: inner)
        if let index = open.firstIndex(of: key) {
            guard let name = names[key], open[index...].contains(nil) else {
                return leave("a type that contains itself", context, at: place)
            }
            return ModelType(text: name, isOptional: isOptional)
        }
        if let name = names[key] { return ModelType(text: name, isOptional: isOptional) }
        if let known = others[key] { return known }
        let last = pointer.split(separator: "/").last.map(String.init)
        let base =
            last
            ?? (file.split(separator: "/").last.map { $0.split(separator: ".").first.map(String.init) ?? "" } ?? "Model")
        let name = Self.free(SwiftNames.type(base, role: "Model", isTopLevel: true)) {
            globalNames.contains($0) || innerNames.contains($0) || taken.contains($0)
        }
        globalNames.insert(name)
        open.append(key)
        defer { open.removeLast() }
        // An object may contain a list of its own type, so its name must be known before its members are written.
        if schema.hasProperties { names[key] = name }
        var lines = CodeLines()
        let outside = path
        path = []
        defer { path = outside }
        let type = self.type(of: schema, name, inner, isGlobal: true, to: &lines)
        // Only an object or an enum needs its own type.
        guard type.text == name, !type.isOpen else {
            names[key] = nil
            others[key] = type
            if lines.lines.isEmpty { globalNames.remove(name) } else { types[name] = lines }
            return type
        }
        names[key] = name
        types[name] = lines
        return type
    }

    /// The schema that a reference points to.
    mutating func target(of text: String, _ context: Context) -> (
        schema: JSONValue, context: Context, pointer: String
    )? {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let pointer = parts.count > 1 ? parts[1].removingPercentEncoding ?? parts[1] : ""
        if parts[0].isEmpty {
            return value(at: pointer, in: context.root).map { ($0, context, pointer) }
        }
        if context.isDescribed { return nil }
        let folder = FilePath.parent("/" + context.file)
        let file = String(FilePath.tidy(FilePath.join(folder, parts[0])).drop { $0 == "/" })
        guard let root = document(file), let schema = value(at: pointer, in: root) else { return nil }
        return (schema, Context(file: file, root: root, owner: "schemas/\(file)"), pointer)
    }

    mutating func add(_ source: SourceFile) { sources.append(source) }

    private mutating func document(_ file: String) -> JSONValue? {
        if let known = documents[file] { return known }
        let path = "\(SchemaStore.folder)/\(file)"
        guard let bytes = try? workspace.files.read(workspace.path(path), Workspace.largestFile) else { return nil }
        let source = SourceFile(name: workspace.shown(path), bytes: bytes)
        guard let root = JSONDocument.read(source).root else { return nil }
        sources.append(source)
        documents[file] = root
        return root
    }

    /// The value at a JSON pointer.
    private mutating func value(at pointer: String, in root: JSONValue) -> JSONValue? {
        if pointer.isEmpty { return root }
        var value = root
        for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let name = JSONPointer.unescaped(part)
            guard let next = pointers.child(name, of: value) else { return nil }
            value = next
        }
        return value
    }
}

extension JSONValue {
    /// Whether the value is the schema of an object with known members.
    var hasProperties: Bool {
        self["properties"].map { $0.kind == .object && $0.count > 0 } ?? false
    }

    /// The values, if the schema is an enum of strings; else nil.
    var options: [String]? {
        guard let values = self["enum"]?.elements.map(\.string), !values.isEmpty, !values.contains(nil) else {
            return nil
        }
        return values.compactMap(\.self)
    }

    /// Whether the schema also allows null.
    func isNullable(in context: ModelWriter.Context) -> Bool {
        let type = self["type"]
        return type?.string == "null" || type?.elements.contains { $0.string == "null" } == true
            || (context.isDescribed && self["nullable"]?.bool == true)
    }
}
