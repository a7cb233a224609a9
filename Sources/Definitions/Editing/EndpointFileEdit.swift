package import SourceText

/// An endpoint file with one variant more, not yet written.
package struct EndpointFileEdit: Sendable {
    /// Seen from the root.
    package let path: String
    package let before: [UInt8]
    package let after: [UInt8]
    /// Whether the file has a variant of that name, which gives way.
    package let replacesVariant: Bool
    /// The file below `stubs/` with that variant's body, if it names one.
    package let replacedBody: String?
}

extension Workspace {
    /// Puts a stub variant into an endpoint's file, or in the place of the one with that name; every other byte of the
    /// file stays.
    ///
    /// The file is read anew: somebody may have changed it since the endpoint was looked up.
    package func edit(
        settingVariant name: String, to variant: OrderedJSON, of endpoint: LocatedEndpoint
    ) throws(EditProblem) -> EndpointFileEdit {
        guard
            let entry = entries(thatMayDefine: endpoint.id).value.first(where: { shown($0.path) == endpoint.file.name })
        else { throw EditProblem("\(endpoint.file.name) is gone") }
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try files.read(path(entry.path), Self.largestFile)
        } catch {
            throw EditProblem("\(endpoint.file.name) can't be read: \(error.reason)")
        }
        let document = JSONDocument.read(
            SourceFile(name: endpoint.file.name, bytes: bytes), syntax: entry.syntax)
        guard document.problems.isEmpty, let root = document.root, let definition = root.definition(of: endpoint) else {
            throw EditProblem("\(endpoint.file.name) has changed meanwhile")
        }
        let edits = definition.edits(settingVariant: name, to: variant, style: JSONStyle(of: document))
        let old = definition["stubs"]?["variants"]?[name]
        return EndpointFileEdit(
            path: entry.path, before: bytes, after: edits.applied(to: bytes), replacesVariant: old != nil,
            replacedBody: old?["file"]?.string)
    }
}

/// Why a file can't be edited.
package struct EditProblem: Error, Equatable {
    /// Completes "… can't be saved: ".
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension JSONValue {
    /// The object that defines an endpoint in its file.
    fileprivate func definition(of endpoint: LocatedEndpoint) -> JSONValue? {
        guard let group = endpoint.group else { return kind == .object ? self : nil }
        let name = String(endpoint.id.dropFirst(group.count + 1))
        return self["endpoints"]?[name].flatMap { $0.kind == .object ? $0 : nil }
    }

    /// The nearest object that is there already takes what is missing.
    fileprivate func edits(
        settingVariant name: String, to variant: OrderedJSON, style: JSONStyle
    ) -> [TextEdit] {
        let variants = OrderedJSON.object([OrderedJSON.Member(name, variant)])
        guard let stubs = self["stubs"], stubs.kind == .object else {
            return adding("stubs", .object(["variants": variants]), style: style, spreading: 2)
        }
        guard let known = stubs["variants"], known.kind == .object else {
            return stubs.adding("variants", variants, style: style, spreading: 1)
        }
        return known[name] == nil
            ? known.adding(name, variant, style: style) : known.replacing(name, by: variant, style: style)
    }
}
