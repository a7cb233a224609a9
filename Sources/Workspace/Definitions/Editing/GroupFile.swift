package import ReqcliText

/// The current file of a group, or of a single endpoint.
package struct GroupFile: Sendable {
    /// The path relative to the workspace's root.
    package let path: String
    package let document: JSONDocument
    package let root: JSONValue
}

extension Workspace {
    /// The file of a group; nil if there is no such file, or if the file contains a single endpoint.
    package func group(_ id: String) throws(EditProblem) -> GroupFile? {
        guard let entry = entries(thatMayDefine: id + "._").value.first(where: { $0.id == id }) else { return nil }
        let (document, root) = try read(entry)
        return root["endpoints"]?.kind == .object ? GroupFile(path: entry.path, document: document, root: root) : nil
    }

    /// The file that contains only this endpoint; nil if there is no such file.
    package func file(ofEndpoint id: String) throws(EditProblem) -> GroupFile? {
        guard let entry = entries(thatMayDefine: id).value.first(where: { $0.id == id }) else { return nil }
        let (document, root) = try read(entry)
        return root["endpoints"] == nil ? GroupFile(path: entry.path, document: document, root: root) : nil
    }

    /// Whether any endpoint file mentions the id of this endpoint in quotes, as an entry of `needs` does.
    package func mentions(_ id: String) -> Bool {
        let quoted = Array("\"\(id)\"".utf8)
        return endpointEntries().value.contains { entry in
            guard let bytes = try? files.read(path(entry.path), Self.largestFile) else { return false }
            return bytes.firstRange(of: quoted) != nil
        }
    }
}
