package import ReqcliText

/// The content of an endpoint file before and after a variant is added. The file is not written yet.
package struct EndpointFileEdit: Sendable {
    /// The path relative to the workspace's root.
    package let path: String
    package let before: [UInt8]
    package let after: [UInt8]
    /// Whether an existing variant of that name is replaced.
    package let replacesVariant: Bool
    /// The path of the replaced variant's body file below `stubs/`, if the variant has such a file.
    package let replacedBody: String?
}

extension Workspace {
    /// Adds a stub variant to an endpoint's file, or replaces the variant with that name. Every other byte of the file stays
    /// unchanged.
    ///
    /// The file is read again, because it may have changed since the endpoint was looked up.
    package func edit(
        settingVariant name: String, to variant: OrderedJSON, of endpoint: LocatedEndpoint
    ) throws(EditProblem) -> EndpointFileEdit {
        guard
            let entry = entries(thatMayDefine: endpoint.id).value.first(where: { shown($0.path) == endpoint.file.name })
        else { throw EditProblem("\(endpoint.file.name) no longer exists") }
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try files.read(path(entry.path), Self.largestFile)
        } catch {
            throw EditProblem("cannot read \(endpoint.file.name): \(error.reason)")
        }
        let document = JSONDocument.read(
            SourceFile(name: endpoint.file.name, bytes: bytes), syntax: entry.syntax)
        guard let root = document.validRoot, let definition = root.definition(of: endpoint) else {
            throw EditProblem("\(endpoint.file.name) has changed since it was read")
        }
        let edits = definition.edits(settingVariant: name, to: variant, style: JSONStyle(of: document))
        let old = definition["stubs"]?["variants"]?[name]
        return EndpointFileEdit(
            path: entry.path, before: bytes, after: edits.applied(to: bytes), replacesVariant: old != nil,
            replacedBody: old?["file"]?.string)
    }
}

/// The reason why a file can't be edited.
package struct EditProblem: Error, Equatable {
    /// The text after "… can't be saved: ".
    package let reason: String
    package let place: Place?
    package let hint: String?

    package init(_ reason: String, at place: Place? = nil, hint: String? = nil) {
        self.reason = reason
        self.place = place
        self.hint = hint
    }
}

extension JSONValue {
    /// The object in the file that defines an endpoint.
    fileprivate func definition(of endpoint: LocatedEndpoint) -> JSONValue? {
        guard let group = endpoint.group else { return kind == .object ? self : nil }
        let name = String(endpoint.id.dropFirst(group.count + 1))
        return self["endpoints"]?[name].flatMap { $0.kind == .object ? $0 : nil }
    }

    /// The edits that add the variant. If the objects around the variant don't exist yet, they are added, too.
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
