import ReqcliDefinitions
import ReqcliText

/// Reads the requests of collections in the format v3.
struct PostmanFolderReader {
    private(set) var reader: PostmanReader

    init(_ reader: PostmanReader) { self.reader = reader }

    mutating func read(_ source: PostmanFolder) throws(ImportProblem) {
        let collections = source.collections
        for collection in collections {
            let name = collection.definition?["name"]?.scalarText ?? collection.name
            var scope = PostmanScope()
            if collections.count > 1 {
                scope.folders = [name]
            } else if reader.api.title == nil, !name.isEmpty {
                reader.api.title = name
            }
            if let definition = collection.definition {
                reader.addVariables(CollectionVariable.list(v3: definition["variables"]), at: definition.place)
                enter(definition, named: name, &scope)
            }
            try read(collection, collection.definition, scope)
        }
        reader.variables.addCollection(source.globals)
    }

    /// Adds the settings of a folder or a collection to those that its requests inherit.
    private mutating func enter(_ definition: JSONValue, named name: String, _ scope: inout PostmanScope) {
        if let auth = auth(definition["auth"]) { scope.auth = auth }
        if let settings = definition["settings"] { scope.behavior = settings }
        scope.scripts += scripts(definition, named: name)
        let text = CollectionRequest.paragraph(definition["description"])
        if let text, !scope.folders.isEmpty { reader.api.groupDescriptions[scope.folders] = text }
    }

    /// A request or a folder, in a file or in a list `items`.
    private struct Item {
        var name = ""
        var value: JSONValue?
        var examples: [(stem: String, value: JSONValue)] = []
        var folder: PostmanFolder.Node?

        var order: Double { value?["order"]?.number.flatMap { Double($0.text) } ?? .infinity }
    }

    private mutating func read(
        _ folder: PostmanFolder.Node?, _ definition: JSONValue?, _ scope: PostmanScope
    ) throws(ImportProblem) {
        var examples = folder?.examples ?? [:]
        var items = (definition?.list("items") ?? []).map { Item(value: $0) }
        items += folder?.folders.values.map { Item(name: $0.name, value: $0.definition, folder: $0) } ?? []
        for (stem, value) in folder?.requests ?? [] {
            items.append(Item(name: stem, value: value, examples: examples.removeValue(forKey: stem) ?? []))
        }
        for example in examples.sorted(by: { $0.key < $1.key }).flatMap(\.value) {
            reader.notes.append(
                ConversionNote(.lost, "a saved response belongs to no request", example.stem, at: example.value.place))
        }
        for item in items.sorted(by: { ($0.order, $0.name) < ($1.order, $1.name) }) {
            let name = item.value?["name"]?.scalarText ?? item.name
            if item.folder == nil, let value = item.value, value["items"] == nil {
                try add(value, named: name, item.examples, scope)
                continue
            }
            var inside = scope
            inside.folders.append(name)
            if let definition = item.value {
                inside.variables += reader.variables.members(CollectionVariable.list(v3: definition["variables"]))
                enter(definition, named: name, &inside)
            }
            try read(item.folder, item.value, inside)
        }
    }

    private mutating func add(
        _ value: JSONValue, named name: String, _ examples: [(stem: String, value: JSONValue)], _ scope: PostmanScope
    ) throws(ImportProblem) {
        guard var request = CollectionRequest(v3: value, named: name) else {
            return reader.notes.append(
                ConversionNote(
                    .lost, "requests of this protocol are not converted", value["$kind"]?.string, at: value.place))
        }
        request.auth = auth(value["auth"])
        let inFile = value.list("examples").map { (stem: "", value: $0) }
        request.responses = (examples + inFile).map { CollectionRequest.Response(v3: $0.value, named: $0.stem) }
        let behavior = PostmanBehavior([value["settings"], scope.behavior].compactMap(\.self))
        try reader.add(request, behavior, scripts(value, named: name), scope)
    }

    /// The credentials that a file states; the first ones, if it states several.
    private mutating func auth(_ value: JSONValue?) -> CollectionRequest.Auth? {
        guard let value, value.kind == .array else { return CollectionRequest.Auth(v3: value) }
        if value.count > 1 {
            reader.notes.append(
                ConversionNote(.approximated, "of several kinds of auth, the first one is used", at: value.place))
        }
        return CollectionRequest.Auth(v3: value.elements.first { _ in true })
    }

    private mutating func scripts(_ value: JSONValue, named owner: String) -> [PostmanFindings] {
        let scripts = value.list("scripts").compactMap { script -> PostmanScript? in
            let type = script["type"]?.string ?? ""
            guard let kind = PostmanScript.Kind.types[String(type.split(separator: ":").last ?? "")] else {
                reader.notes.append(ConversionNote(.lost, "a script is not converted", type, at: script.place))
                return nil
            }
            return PostmanScript(kind, script["code"])
        }
        return reader.findings(of: scripts, named: owner)
    }
}
