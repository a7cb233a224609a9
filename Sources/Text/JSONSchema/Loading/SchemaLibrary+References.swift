import ReqcliBasics
import ReqcliText

extension SchemaLibrary {
    /// The schema that a reference leads to. If the reference leads nowhere, returns nil and reports a problem at the reference.
    mutating func target(of reference: JSONValue, from resource: Int) -> Subschema? {
        guard let text = reference.string else { return nil }
        let relative = URIReference(text)
        let origin = resources[resource]
        let uri = relative.resolved(against: origin.uri)
        // If the reference leads nowhere relative to the schema's own URI, it is also tried relative to the file.
        let beside = relative.resolved(against: origin.file)
        guard
            let found = find(uri, at: reference.place, reportsMissing: uri.resource == beside.resource)
                ?? find(beside, at: reference.place, reportsMissing: false)
        else {
            if uri.resource != beside.resource { reportMissing(uri, at: reference.place) }
            return nil
        }
        return target(of: uri.fragment ?? "", in: found, at: reference)
    }

    /// The schema that a reference leads to, if the reference is outside of all schemas. The reference is relative to the folder.
    mutating func target(of reference: JSONValue) -> Subschema? {
        guard let text = reference.string else { return nil }
        let uri = URIReference(text).resolved(against: URIReference(folder.uri))
        guard let found = find(uri, at: reference.place) else { return nil }
        return target(of: uri.fragment ?? "", in: found, at: reference)
    }

    /// The schema that a fragment leads to: a JSON pointer or an anchor.
    private mutating func target(of fragment: String, in resource: Int, at reference: JSONValue) -> Subschema? {
        let name = fragment.percentDecoded
        if name.isEmpty { return Subschema(value: resources[resource].root, resource: resource) }
        guard name.utf8.first == UInt8(ascii: "/") else {
            if let schema = resources[resource].anchors[name] { return Subschema(value: schema, resource: resource) }
            report(
                Diagnostic(
                    code: .schemaReference, "\(resources[resource].name) has no anchor \"\(name)\"",
                    at: reference.place,
                    hint: NearNames.question(for: name, among: resources[resource].anchors.keys.sorted())))
            return nil
        }
        return target(ofPointer: name, in: resource, at: reference)
    }

    private mutating func target(ofPointer pointer: String, in start: Int, at reference: JSONValue) -> Subschema? {
        var (value, resource) = (resources[start].root, start)
        for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let token = JSONPointer.unescaped(part)
            guard let next = pointers.child(token, of: value) else {
                report(
                    Diagnostic(
                        code: .schemaReference, "\(resources[start].name) has nothing at \(pointer)",
                        at: reference.place,
                        hint: NearNames.question(for: token, among: value.members.lazy.map(\.name))))
                return nil
            }
            value = next
            resource = owner(of: value) ?? resource
        }
        guard value.isSchema else {
            report(
                Diagnostic(
                    code: .schemaReference, "expected a schema at \(pointer): an object, true or false",
                    at: reference.place, notes: [Diagnostic.Note("this is not a schema", at: value.place)]))
            return nil
        }
        // Below an unknown keyword, schemas are found only by reference.
        if owner(of: value) == nil { indexSubschemas(of: value, in: resource) }
        return Subschema(value: value, resource: owner(of: value) ?? resource)
    }
}

// MARK: - Files

extension SchemaLibrary {
    /// The resource with a URI. Its file is read if necessary.
    mutating func find(_ uri: URIReference, at place: Place, reportsMissing: Bool = true) -> Int? {
        let name = uri.resource
        if let known = index(for: name) { return known }
        if let file = MetaSchemas.file(with: name), index(for: file.name) == nil {
            _ = add(JSONDocument.read(file), URIReference(file.name))
            if let found = index(for: name) { return found }
        }
        if let path = folder.path(of: name) {
            do throws(SchemaFolder.Problem) {
                if let document = try folder.document(path) { return add(document, uri) }
            } catch {
                report(Diagnostic(code: .schemaReference, "cannot read \(path): \(error.reason)", at: place))
                return nil
            }
        }
        searchFolder()
        if let found = index(for: name) { return found }
        if reportsMissing { reportMissing(uri, at: place) }
        return nil
    }

    /// Adds a document as a schema. Mistakes in the document's JSON are reported.
    mutating func add(_ document: JSONDocument, _ uri: URIReference) -> Int? {
        for problem in document.diagnostics { report(problem) }
        guard let root = document.root, !document.diagnostics.contains(where: { $0.severity == .error }) else {
            return nil
        }
        return add(root, file: uri)
    }

    /// Reads every file of the folder and records the identifiers in these files. Files that cannot be read are skipped, because
    /// nothing refers to them yet.
    private mutating func searchFolder() {
        guard !hasSearchedFolder else { return }
        hasSearchedFolder = true
        let reported = takeProblems()
        defer {
            // Mistakes in files that nothing refers to don't matter. The exception is an identifier that is not unique.
            let found = takeProblems().filter { $0.code == .schemaIdentifier }
            for problem in reported + found { report(problem) }
        }
        for path in folder.paths() {
            let uri = URIReference(folder.uri + path)
            guard index(for: uri.resource) == nil, let document = try? folder.document(path) else { continue }
            guard let root = document.validRoot, root.isSchema else { continue }
            _ = add(root, file: uri)
        }
    }

    private mutating func reportMissing(_ uri: URIReference, at place: Place) {
        let name = uri.resource
        if let path = folder.path(of: name) {
            report(
                Diagnostic(
                    code: .schemaReference, "\(folder.name) has no file \(path)", at: place,
                    hint: NearNames.question(for: path, among: folder.paths())))
        } else if folder.isPath(uri) {
            report(
                Diagnostic(
                    code: .schemaReference, "this reference leads outside \(folder.name)", at: place,
                    hint: "copy the file into \(folder.name)"))
        } else {
            report(
                Diagnostic(
                    code: .schemaReference, "no file of \(folder.name) has the $id \(name): save the schema there",
                    at: place))
        }
    }
}

// MARK: - Dialects

extension SchemaLibrary {
    /// The dialect that a `$schema` names. If the dialect is unknown, returns nil and reports a problem.
    mutating func dialect(named value: JSONValue) -> Dialect? {
        guard let uri = value.string else { return nil }
        if let known = Dialect.named(uri) { return known }
        guard dialectsInProgress.insert(uri).inserted else { return nil }
        defer { dialectsInProgress.remove(uri) }
        guard let index = find(URIReference(uri), at: value.place, reportsMissing: false),
            let vocabularies = resources[index].root["$vocabulary"], vocabularies.kind == .object
        else {
            report(
                Diagnostic(
                    code: .schemaDialect, "unknown dialect \"\(uri)\"", at: value.place,
                    hint: "expected \(Draft.allCases.reversed().map(\.uri).joined(separator: ", "))"))
            return nil
        }
        let draft = resources[index].dialect.draft
        var names: Set<String> = []
        for member in vocabularies.members {
            if let prefix = draft.vocabularies, member.name.hasPrefix(prefix) {
                names.insert(String(member.name.dropFirst(prefix.count)))
            } else if member.value.bool == true {
                report(
                    Diagnostic(
                        code: .schemaDialect, "unknown vocabulary \"\(member.name)\"", at: member.key.place,
                        hint: "a metaschema can only combine the vocabularies of its draft"))
            }
        }
        return Dialect(draft, metaSchema: resources[index].uri.resource, vocabularies: names)
    }
}
